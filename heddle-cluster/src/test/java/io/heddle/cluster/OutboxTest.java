package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Chan;
import io.heddle.Scheduler;
import io.heddle.WaitGroup;
import io.heddle.cluster.local.LocalHub;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Tap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final int SENDERS = 200;

  /** A log with one place. */
  private static final class OnePlace implements Log {
    final Chan<Boolean> stored = Chan.make(1);
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private boolean isFull;
    private int refusals;

    @Override
    public synchronized CompletionStage<PublishResult> publish(byte[] frame, String id) {
      if (isFull) {
        refusals++;
        return CompletableFuture.completedFuture(PublishResult.FULL);
      }
      isFull = true;
      assertThat(stored.trySend(true)).isTrue();
      return CompletableFuture.completedFuture(PublishResult.STORED);
    }

    @Override
    public synchronized CompletionStage<Void> room() {
      if (!isFull) {
        return CompletableFuture.completedFuture(null);
      }
      CompletableFuture<Void> room = new CompletableFuture<>();
      waiting.add(room);
      return room;
    }

    /** Takes what is stored, and tells that there is room. */
    void take() {
      List<CompletableFuture<Void>> told;
      synchronized (this) {
        isFull = false;
        told = List.copyOf(waiting);
        waiting.clear();
      }
      told.forEach(each -> each.complete(null));
    }

    synchronized int refusals() {
      return refusals;
    }

    @Override
    public Tap tap(int window, Tap.Taker to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LogState state() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void seal() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void roomInAFullLogIsNotStormedByAllThatWait() throws Exception {
    OnePlace log = new OnePlace();
    try (Engine engine = new LocalHub().connect("test", "a")) {
      Node node = new Node(engine, ClusterOptions.defaults(), Scheduler.shared(), LeaseTime::now);
      Outbox outbox = new Outbox(node, log, "remote values", "bytes", 1, 1_000);
      WaitGroup senders = new WaitGroup();
      for (int i = 0; i < SENDERS; i++) {
        Frame.Item item = new Frame.Item(new byte[1], -1, null);
        senders.go(
            () ->
                assertThat(outbox.send(new Unit("remote values", List.of(item), true)))
                    .isEqualTo(Unit.Result.STORED));
      }
      for (int i = 0; i < SENDERS; i++) {
        assertThat(log.stored.receive()).isTrue();
        log.take();
      }
      senders.await();
      assertThat(log.refusals()).as("for %d that were stored", SENDERS).isLessThan(6 * SENDERS);
      outbox.end();
    }
  }
}
