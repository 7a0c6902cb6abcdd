package io.heddle.cluster.artemis;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static io.heddle.cluster.contract.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.contract.Frames;
import io.heddle.cluster.contract.HolderProcess;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Registry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of the failure matrix, with processes that are killed or stopped. */
@Tag("full")
@Timeout(120)
class EmbeddedKillTest {
  /** Longer than a test may take: what comes again does so because a process died. */
  private static final Duration LONG_LEASE = Duration.ofMinutes(10);

  private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

  @TempDir private Path folder;

  private String uri() {
    return "embedded:" + folder;
  }

  private Engine open(String node) throws Exception {
    return EmbeddedEngineTest.connect(uri(), "kills", node, Map.of());
  }

  /** Publishes until the hub has confirmed; a hub that is away is asked again. */
  private static void publish(Log log, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      while (true) {
        try {
          PublishResult result = log.publish(bytes("" + i), "id-" + i).toCompletableFuture().get();
          assertThat(result).isEqualTo(PublishResult.STORED);
          break;
        } catch (ExecutionException e) {
          assertThat(e.getCause()).isInstanceOf(AwayException.class);
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
  }

  /** Takes until all of {@code 0 … n - 1} have come and nothing is stored. */
  private static void drain(Frames in, Log log, int n) throws Exception {
    Set<String> received = new HashSet<>();
    while (received.size() < n || log.state().stored() > 0) {
      Handed frame = in.next();
      received.add(text(frame));
      done(frame.ack());
    }
  }

  @Test
  void framesOfAKilledProcessComeAgainBeforeTheirLeasesEnd() throws Exception {
    try (Engine a = open("a");
        HolderProcess holder = new HolderProcess(uri(), "kills", LONG_LEASE)) {
      Log log = a.log(HolderProcess.spec(LONG_LEASE));
      publish(log, 0, HolderProcess.FRAMES);
      holder.awaitHeld();
      try (Frames in = new Frames(log, HolderProcess.FRAMES)) {
        assertThat(log.state().handed()).isEqualTo(HolderProcess.FRAMES);
        holder.kill();
        long killed = System.nanoTime();
        for (Handed each : in.next(HolderProcess.FRAMES)) {
          assertThat(each.attempt()).isEqualTo(2);
          done(each.ack());
        }
        System.out.printf(
            "frames of a killed process were acknowledged elsewhere after %d ms%n",
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
        assertThat(log.state().stored()).isZero();
      }
    }
  }

  @Test
  void processThatStoodStillForLongerThanItsLeaseIsRefusedAndGetsNoMoreMeanwhile()
      throws Exception {
    try (Engine a = open("a");
        HolderProcess holder = new HolderProcess(uri(), "kills", SHORT_LEASE)) {
      Log log = a.log(HolderProcess.spec(SHORT_LEASE));
      publish(log, 0, HolderProcess.FRAMES);
      holder.awaitHeld();
      holder.signal("STOP");
      try (Frames in = new Frames(log, HolderProcess.FRAMES)) {
        List<Handed> again = in.next(HolderProcess.FRAMES);
        for (Handed each : again) {
          assertThat(each.attempt()).isEqualTo(2);
        }
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
  void killedHubIsReplacedByAnotherNodeAndNothingIsLost() throws Exception {
    try (HolderProcess hub = new HolderProcess(uri(), "kills", LONG_LEASE);
        Engine a = open("a");
        Engine b = open("b")) {
      Log log = a.log(HolderProcess.spec(LONG_LEASE));
      Changes changes = new Changes();
      long revision = a.registry().create("k.one", bytes("1"), null).orElseThrow();
      long gone = a.registry().create("k.gone", bytes("x"), null).orElseThrow();
      assertThat(a.registry().delete("k.gone", gone)).isTrue();
      try (Registry.Ended _ = b.registry().watch("k", changes)) {
        assertThat(changes.next()).isEqualTo("k.one=1");
        publish(log, 0, 100);
        hub.awaitHeld();
        hub.kill();
        publish(log, 0, 200); // the first half is known
        assertThat(log.state().stored()).isEqualTo(200);
        try (Frames in = new Frames(b.log(HolderProcess.spec(LONG_LEASE)), 8)) {
          drain(in, log, 200);
        }
        publish(log, 0, 200);
        assertThat(log.state().stored()).as("ids of acknowledged frames").isZero();
        long next = a.registry().replace("k.one", bytes("2"), revision, null).orElseThrow();
        assertThat(next).isGreaterThan(gone);
        assertThat(changes.next()).isEqualTo("k.one=2");
      }
    }
  }

  @Test
  void firstDeliveriesOfALivingNodeStayInOrderWhenTheHubIsKilled() throws Exception {
    int n = HolderProcess.FRAMES;
    try (HolderProcess hub = new HolderProcess(uri(), "kills", LONG_LEASE);
        Engine a = open("a")) {
      Log log = a.log(HolderProcess.spec(LONG_LEASE));
      publish(log, 0, n);
      hub.awaitHeld();
      try (Frames in = new Frames(log, 3 * n)) {
        publish(log, n, 2 * n);
        List<Handed> later = in.next(n);
        hub.kill();
        // The next hub hands out all again: what the killed process held, and what this one holds.
        List<Handed> again = in.next(2 * n);
        publish(log, 2 * n, 3 * n);
        List<Handed> last = in.next(n);
        assertThat(again.stream().map(Frames::text)).contains("0", "" + n);
        assertThat(again).extracting(Handed::attempt).containsOnly(2);
        assertThat(later).extracting(Handed::attempt).containsOnly(1);
        assertThat(last).extracting(Handed::attempt).containsOnly(1);
      }
    }
  }

  @Test
  void hubLeavesNoThreadThatKeepsItsProcessFromEnding() throws Exception {
    try (HubProcess hub = HubProcess.start(folder)) {
      assertThat(hub.end()).doesNotContain("activemq"); // one of Netty ends after a second
    }
  }

  @Test
  void hubThatIsStartedAgainKnowsWhatItStored() throws Exception {
    long revision;
    try (Engine a = open("a")) {
      Log log = a.log(HolderProcess.spec(LONG_LEASE));
      publish(log, 0, 3);
      try (Frames in = new Frames(log, 1)) {
        done(in.next().ack());
      }
      log.seal();
      revision = a.registry().create("k.one", bytes("1"), null).orElseThrow();
      a.registry().delete("k.one", revision);
    }
    try (Engine a = open("a")) {
      Log log = a.log(HolderProcess.spec(LONG_LEASE));
      assertThat(done(log.publish(bytes("0"), "id-0"))).isEqualTo(PublishResult.STORED);
      assertThat(done(log.publish(bytes("new"), "id-new"))).isEqualTo(PublishResult.SEALED);
      assertThat(log.state().stored()).isEqualTo(2);
      try (Frames in = new Frames(log, 2)) {
        assertThat(in.next(2).stream().map(Frames::text)).containsExactly("1", "2");
      }
      assertThat(a.registry().get("k.one")).isNull();
      assertThat(a.registry().create("k.one", bytes("2"), null).orElseThrow())
          .isGreaterThan(revision);
      a.delete("work");
    }
    try (Engine a = open("a")) {
      assertThat(a.look(HolderProcess.spec(LONG_LEASE))).isNull();
      assertThat(a.log(HolderProcess.spec(LONG_LEASE)).state().stored()).isZero();
    }
  }

  /** The changes that a watcher was told. */
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
}
