package io.heddle.cluster.nats;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static io.heddle.cluster.contract.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.contract.Frames;
import io.heddle.cluster.contract.HolderProcess;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of the failure matrix, with processes that are killed or stopped. */
@Timeout(120)
class NatsKillTest {
  private static final Duration LEASE = Duration.ofSeconds(4);

  private static Engine open(String uri, String node) throws Exception {
    return NatsEngineTest.connect(uri, "kills", node, Map.of());
  }

  private static LogSpec spec(int replicas) {
    return new LogSpec("work", 10_000, 1_000, Storage.FILES, replicas, Duration.ofSeconds(1));
  }

  /** Publishes until the engine has confirmed; returns how often that took more than one try. */
  private static int publish(Log log, int from, int to) throws Exception {
    int again = 0;
    for (int i = from; i < to; i++) {
      while (true) {
        try {
          assertThat(log.publish(bytes("" + i), "id-" + i).toCompletableFuture().get())
              .isEqualTo(PublishResult.STORED);
          break;
        } catch (ExecutionException e) {
          assertThat(e.getCause()).isInstanceOf(AwayException.class);
          again++;
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
    return again;
  }

  /** Takes and acknowledges until all of {@code 0 … n - 1} have come; returns how many came twice. */
  private static int drain(Frames in, int n) throws Exception {
    Set<String> received = new HashSet<>();
    int twice = 0;
    while (received.size() < n) {
      Handed frame = in.next();
      twice += received.add(text(frame)) ? 0 : 1;
      var _ = frame.ack().exceptionally(_ -> null); // it may come again
    }
    return twice;
  }

  @Test
  void killedServerLosesNothingAndAllGoesOnAfterItsRestart() throws Exception {
    try (NatsServer server = NatsServer.start();
        Engine a = open(server.uri(), "a");
        Engine b = open(server.uri(), "b")) {
      Log out = a.log(spec(1));
      Changes changes = new Changes();
      long revision = a.registry().create("k.one", bytes("1"), null).orElseThrow();
      try (Frames in = new Frames(b.log(spec(1)), 8);
          Registry.Ended _ = b.registry().watch("k", changes)) {
        assertThat(changes.next()).isEqualTo("k.one=1");
        publish(out, 0, 100);
        server.kill();
        CompletableFuture<PublishResult> away =
            out.publish(bytes("100"), "id-100").toCompletableFuture();
        assertThatThrownBy(() -> done(away))
            .cause()
            .isInstanceOf(AwayException.class)
            .hasMessageContaining("work")
            .hasMessageContaining(server.uri());
        assertThat(a.isConnected()).isFalse();
        assertThat(a.ended().toCompletableFuture()).isNotDone();
        server.restart();
        publish(out, 100, 200);
        int twice = drain(in, 200);
        assertThat(twice).as("frames that came twice").isLessThanOrEqualTo(100);
        assertThat(a.isConnected()).isTrue();
        a.registry().replace("k.one", bytes("2"), revision, null).orElseThrow();
        assertThat(changes.next()).isEqualTo("k.one=2");
      }
    }
  }

  private static final class Changes implements Registry.Watcher {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void set(Registry.Entry entry) {
      told.add(entry.key() + "=" + new String(entry.value()));
    }

    @Override
    public void removed(String key) {
      told.add(key + " removed");
    }

    String next() throws InterruptedException {
      return told.poll(Frames.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Test
  @Tag("full")
  void framesOfAKilledProcessComeAgain() throws Exception {
    try (NatsServer server = NatsServer.start();
        Engine a = open(server.uri(), "a");
        HolderProcess holder = new HolderProcess(server.uri(), "kills", LEASE)) {
      Log log = a.log(HolderProcess.spec(LEASE));
      publish(log, 0, HolderProcess.FRAMES);
      holder.awaitHeld();
      TimeUnit.MILLISECONDS.sleep(LEASE.multipliedBy(2).toMillis());
      try (Frames in = new Frames(log, HolderProcess.FRAMES)) {
        assertThat(log.state().handed()).isEqualTo(HolderProcess.FRAMES);
        assertThat(in.waiting()).as("frames whose leases were renewed").isZero();
        holder.signal("KILL");
        for (Handed each : in.next(HolderProcess.FRAMES)) {
          assertThat(each.attempt()).isGreaterThan(1);
        }
      }
    }
  }

  @Test
  @Tag("full")
  void processThatStoodStillForLongerThanItsLeaseIsRefused() throws Exception {
    try (NatsServer server = NatsServer.start();
        Engine a = open(server.uri(), "a");
        HolderProcess holder = new HolderProcess(server.uri(), "kills", LEASE)) {
      Log log = a.log(HolderProcess.spec(LEASE));
      publish(log, 0, HolderProcess.FRAMES);
      holder.awaitHeld();
      holder.signal("STOP");
      try (Frames in = new Frames(log, HolderProcess.FRAMES)) {
        List<Handed> again = in.next(HolderProcess.FRAMES);
        holder.signal("CONT");
        assertThat(holder.acknowledge()).allMatch(each -> each.contains("not held any more"));
        for (Handed each : again) {
          done(each.ack());
        }
        assertThat(log.state().stored()).isZero();
      }
    }
  }

  @Test
  @Tag("full")
  void killedLeaderOfThreeLosesNothing() throws Exception {
    try (ThreeServers servers = new ThreeServers();
        Engine a = ThreeServers.whenReady(() -> open(servers.uri(), "a"));
        Engine b = open(servers.uri(), "b")) {
      Log out = a.log(spec(3));
      try (Frames in = new Frames(b.log(spec(3)), 64)) {
        publish(out, 0, 200);
        long lock = a.registry().create("lock.x", bytes("a"), null).orElseThrow();
        servers.get(servers.leaderOf(NatsNames.of("kills").logStream("work"))).kill();
        publish(out, 200, 400);
        drain(in, 400);
        assertThat(replace(b, "lock.x", lock)).isGreaterThan(lock);
      }
    }
  }

  private static long replace(Engine engine, String key, long revision) throws Exception {
    while (true) {
      try {
        return engine.registry().replace(key, bytes("b"), revision, null).orElseThrow();
      } catch (AwayException e) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }
}
