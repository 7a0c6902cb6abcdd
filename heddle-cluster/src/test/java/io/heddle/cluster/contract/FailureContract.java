package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Lease;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.StaleDeliveryException;
import io.heddle.cluster.UnsentException;
import io.heddle.testkit.ChildJvm;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of the failure matrix that concern the line, the disk and senders, with a real server. */
@Tag("full")
@Timeout(120)
public abstract class FailureContract {
  /** Starts an engine that keeps its files in a folder. */
  protected abstract EngineServer start(Path store) throws Exception;

  private static final Duration LEASE = Duration.ofSeconds(3);

  @TempDir protected Path folder;

  /** Whether the engine goes on by itself when a full disk has room again. */
  protected abstract boolean goesOnAfterAFullDisk();

  private static Cluster open(String uri, String node) throws Exception {
    return Cluster.open(
        uri,
        ClusterOptions.defaults()
            .cluster("failures")
            .node(node)
            .lease(LEASE)
            .connectTimeout(Duration.ofSeconds(30)));
  }

  private static RemoteChan<String> chan(Cluster on) throws InterruptedException {
    return on.chan("orders", String.class).capacity(50).window(1).lease(LEASE).open();
  }

  @Test
  void cutNodeLosesWhatItHoldsAndGoesOnWhenTheLineIsHealed() throws Exception {
    try (EngineServer server = start(folder.resolve("store"));
        CuttableProxy line = new CuttableProxy(server);
        Cluster there = open(line.uri(), "there");
        Cluster here = open(server.uri(), "here")) {
      RemoteChan<String> out = chan(here);
      out.send("one");
      Delivery<String> held = chan(there).receive();
      Lease lock = there.mutex("ledger").lock();
      line.cut();
      assertThat(lock.lost().receive()).as("the end of the lease").isNull();
      assertThat(lock.isLost()).isTrue();
      Delivery<String> again = out.receive();
      assertThat(again.attempt()).isGreaterThan(1);
      assertThat(again.id()).isEqualTo(held.id());
      again.ack();
      try (Lease next = here.mutex("ledger").lock()) {
        assertThat(next.token()).isGreaterThan(lock.token());
      }
      assertThatThrownBy(held::ack).isInstanceOf(StaleDeliveryException.class);
      assertThat(held.context().err()).isNotNull();
      out.leave();
      line.heal();
      out.send("two");
      try (Delivery<String> next = chan(there).receive()) {
        assertThat(next.value()).isEqualTo("two");
        next.ack();
      }
      there.mutex("ledger").lock().close();
    }
  }

  @Test
  void sendsThatWereUnderWayAtAResetAreStoredOnce() throws Exception {
    try (EngineServer server = start(folder.resolve("store"));
        CuttableProxy line = new CuttableProxy(server);
        Cluster there = open(line.uri(), "there");
        Cluster here = open(server.uri(), "here")) {
      RemoteChan<String> out = there.chan("orders", String.class).open();
      RemoteChan<String> in = here.chan("orders", String.class).open();
      Goroutine sender =
          Go.go(
              () -> {
                for (int i = 0; i < 300; i++) {
                  out.send("" + i);
                }
              });
      List<String> received = new ArrayList<>();
      while (received.size() < 300) {
        try (Delivery<String> next = in.receive()) {
          received.add(next.value());
          next.ack();
        }
        if (received.size() == 50 || received.size() == 150) {
          line.reset();
          line.heal();
        }
      }
      sender.join();
      assertThat(in.length()).isZero();
      assertThat(received).doesNotHaveDuplicates();
    }
  }

  @Test
  void killedProducerLeavesWhatWasConfirmedAndNothingHalf() throws Exception {
    try (EngineServer server = start(folder.resolve("store"))) {
      Path file = folder.resolve("confirmed");
      Process producer =
          ChildJvm.bare()
              .flags(
                  ChildJvm.OPENS,
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"))
              .builder(
                  KillRunNode.class.getName(),
                  server.uri(),
                  "produce",
                  "p",
                  file.toString(),
                  folder.resolve("end").toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        while (!Files.exists(file) || Files.size(file) < 2_000) {
          assertThat(producer.isAlive()).isTrue();
          TimeUnit.MILLISECONDS.sleep(5);
        }
      } finally {
        producer.destroyForcibly().onExit().join();
      }
      Map<String, BitSet> received = new HashMap<>();
      try (Cluster here = Cluster.open(server.uri(), ClusterOptions.defaults().cluster("soak"))) {
        RemoteChan<KillRunNode.Item> in = KillRunNode.open(here);
        in.close();
        for (KillRunNode.Item each : in.values()) {
          received.computeIfAbsent(each.sender(), _ -> new BitSet()).set(each.number());
        }
      }
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        assertThat(received.get(words[0]).get(Integer.parseInt(words[1]))).as(line).isTrue();
      }
      received.forEach(
          (sender, numbers) ->
              assertThat(numbers.cardinality())
                  .as("%s, without gaps", sender)
                  .isEqualTo(numbers.length()));
    }
  }

  @Test
  void fullDiskHoldsSendersBackAndLosesNothing() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString()) == 0,
        "needs the right to mount a small file system");
    try (EngineServer server = start(disk)) {
      Set<String> confirmed = new TreeSet<>();
      try (Cluster a = open(server.uri(), "a")) {
        RemoteChan<String> out =
            a.chan("orders", String.class).capacity(100_000).attempts(1_000).open();
        String filling = "x".repeat(10_000);
        Path ballast = disk.resolve("ballast");
        fill(ballast);
        boolean isFull = false;
        for (int i = 0; !isFull; i++) {
          assertThat(i).as("values on a full disk").isLessThan(5_000);
          isFull = !isSentInTime(out, i + filling, confirmed);
        }
        Files.delete(ballast);
        if (!goesOnAfterAFullDisk()) {
          server.kill();
          server.restart();
        }
        out.send("last");
        confirmed.add("last");
        Set<String> received = new TreeSet<>();
        while (!received.containsAll(confirmed)) {
          try (Delivery<String> next = out.receive()) {
            received.add(next.value());
            next.ack();
          }
        }
      }
    } finally {
      run("umount", "-l", disk.toString());
    }
  }

  private static boolean isSentInTime(RemoteChan<String> out, String value, Set<String> confirmed)
      throws Exception {
    try (Context.Cancelable soon = Context.background().withTimeout(Duration.ofSeconds(3))) {
      soon.run(() -> out.send(value));
      confirmed.add(value);
      return true;
    } catch (UnsentException e) {
      return false;
    }
  }

  /** Takes the space of the disk, but for some 100 KB. */
  private static void fill(Path ballast) throws Exception {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] some = new byte[10_000];
      while (ballast.toFile().getUsableSpace() > 200_000) {
        out.write(some);
      }
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
