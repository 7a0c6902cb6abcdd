package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Handed;
import io.nats.client.Message;
import io.nats.client.impl.NatsJetStreamMetaData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A frame that a tap holds. The server accepts the acknowledgement of a frame whose lease has
 * ended, so this node's clock refuses it.
 */
final class NatsHanded implements Handed {
  private static final String ACK = "+ACK";
  private static final String RENEW = "+WPI";
  private static final String GIVE_BACK = "-NAK";

  private final NatsTap tap;
  private final Message message;
  private final long sequence;
  private final int attempt;

  /** When the lease ends; moved forward by renewals, which several threads may call. */
  private final AtomicLong end;

  /** What settled the frame; null: nothing yet. An acknowledgement may be repeated. */
  private final AtomicReference<@Nullable String> settledBy = new AtomicReference<>();

  NatsHanded(NatsTap tap, Message message) {
    this.tap = tap;
    this.message = message;
    NatsJetStreamMetaData data = message.metaData();
    sequence = data.streamSequence();
    attempt = (int) Math.min(Integer.MAX_VALUE, data.deliveredCount());
    end = new AtomicLong(System.nanoTime() + tap.leaseNanos());
  }

  @Override
  public byte[] frame() {
    return message.getData();
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public CompletionStage<Void> ack() {
    return settle(ACK).thenAccept(_ -> tap.acknowledged());
  }

  @Override
  public CompletionStage<Void> giveBack(Duration delay) {
    return settle(
            delay.isPositive() ? GIVE_BACK + " {\"delay\":" + delay.toNanos() + "}" : GIVE_BACK)
        .thenAccept(_ -> {});
  }

  @Override
  public CompletionStage<Void> renew() {
    if (settledBy.get() != null) {
      return notHeld("it was settled");
    }
    long began = System.nanoTime();
    return send(RENEW)
        .thenAccept(_ -> end.accumulateAndGet(began + tap.leaseNanos(), NatsHanded::later));
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }

  private CompletableFuture<Message> settle(String answer) {
    if (!settledBy.compareAndSet(null, answer) && !(isAcked() && answer.equals(ACK))) {
      return notHeld("it was settled");
    }
    CompletableFuture<Message> sent = send(answer);
    tap.release(this);
    return sent;
  }

  private CompletableFuture<Message> send(String answer) {
    NatsLink link = tap.link();
    link.checkOpen();
    if (isOver() || tap.hasGivenBack(this)) {
      return notHeld("its lease has ended");
    }
    return link.ask(message.getReplyTo(), null, answer.getBytes(StandardCharsets.US_ASCII))
        .exceptionallyCompose(e -> CompletableFuture.failedFuture(link.failure(what(), e)));
  }

  private <T> CompletableFuture<T> notHeld(String why) {
    return CompletableFuture.failedFuture(
        tap.link().failure(what() + " is not held any more: " + why, null));
  }

  private String what() {
    return "frame " + sequence + " of log " + tap.logName();
  }

  private boolean isAcked() {
    return ACK.equals(settledBy.get());
  }

  boolean isOver() {
    return System.nanoTime() - end.get() > 0;
  }

  /** Gives the frame back and does not ask whether that has arrived. */
  void tellBack() {
    tap.link().tell(message.getReplyTo(), null, GIVE_BACK.getBytes(StandardCharsets.US_ASCII));
  }
}
