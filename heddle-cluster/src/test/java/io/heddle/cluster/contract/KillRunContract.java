package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.RemoteChan;
import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three producers and three consumers, all processes of their own, of which one is killed every
 * second, or later if the machine is too slow to start that many: when the one that was started
 * last has sent or received some dozens of values. Sometimes that which has the engine is killed instead.
 * {@code -Dheddle.soak.seconds=} sets how long this goes on, {@code -Dheddle.soak.seed=} which are
 * killed.
 */
@Tag("full")
@Tag("soak")
public abstract class KillRunContract {
  private static final int EACH = 3;
  private static final int ONE_ENGINE_IN = 15;

  /** How much the newest process has written before the next kill: about 50 lines. */
  private static final int BYTES_BEFORE_KILL = 2_000;

  /** Half of the processes that are killed are producers, so about 25 are expected at least. */
  private static final int MIN_SENT_PER_KILL = 10;

  private static final long SECONDS = Long.getLong("heddle.soak.seconds", 20);
  private static final long SEED = Long.getLong("heddle.soak.seed", System.nanoTime());

  @TempDir protected Path folder;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
  private final List<Worker> workers = new ArrayList<>();
  private final List<Long> engineKills = new ArrayList<>();
  private int started;
  private int kills;

  /** A process that sends or receives. */
  private record Worker(Process process, String role, Path results) {
    void kill() {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Starts the engine, if it is a process of its own. Returns its URI. */
  protected abstract String startEngine() throws Exception;

  /** Whether one of the processes that send and receive, with this id, has the engine. */
  protected boolean hasEngine(long pid) throws Exception {
    return false;
  }

  /** Whether a killed engine forgets how often it has handed out what. */
  protected abstract boolean isForgetful();

  /** Ends the engine. */
  protected abstract void stopEngine() throws Exception;

  private Worker start(String uri, String role) throws IOException {
    String name = role + started++;
    Path results = folder.resolve(name);
    Process process =
        ChildJvm.bare()
            .flags(
                ChildJvm.OPENS,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"))
            .builder(
                KillRunNode.class.getName(),
                uri,
                role,
                name,
                results.toString(),
                folder.resolve("end").toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve(name + ".err").toFile())
            .start();
    return new Worker(process, role, results);
  }

  @Test
  void nothingIsLostWhileProcessesAreKilled() throws Exception {
    String uri = startEngine();
    try {
      for (int i = 0; i < 2 * EACH; i++) {
        workers.add(start(uri, i < EACH ? "produce" : "consume"));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() < end) {
        TimeUnit.SECONDS.sleep(1);
        awaitAtWork(end);
        if (random.nextInt(ONE_ENGINE_IN) == 0) {
          killEngine(uri);
        } else {
          kill(workers.get(random.nextInt(workers.size())), uri);
        }
        for (Worker each : workers) {
          assertThat(each.process().isAlive()).as("%s runs", each.results()).isTrue();
        }
      }
      Files.createFile(folder.resolve("end"));
      for (Worker each : workers) {
        if (each.role().equals("produce")) {
          assertThat(each.process().waitFor(2, TimeUnit.MINUTES)).as("a producer ends").isTrue();
          assertThat(each.process().exitValue()).as("exit code of a producer").isZero();
        }
      }
      awaitEmpty(uri);
      check();
    } finally {
      workers.forEach(Worker::kill);
      stopEngine();
    }
  }

  private void kill(Worker victim, String uri) throws Exception {
    boolean hadEngine = hasEngine(victim.process().pid());
    victim.kill();
    if (hadEngine) {
      engineKilled();
    } else {
      kills++;
    }
    workers.remove(victim);
    workers.add(start(uri, victim.role()));
  }

  /** Kills the process that has the engine, and starts another. */
  protected void killEngine(String uri) throws Exception {
    for (Worker each : List.copyOf(workers)) {
      if (hasEngine(each.process().pid())) {
        kill(each, uri);
      }
    }
  }

  /** Counts a kill of the engine. */
  protected void engineKilled() {
    engineKills.add(System.nanoTime());
  }

  /** Waits until the newest process has done some work, so that values flow between two kills. */
  private void awaitAtWork(long end) throws Exception {
    Path newest = workers.getLast().results();
    while ((!Files.exists(newest) || Files.size(newest) < BYTES_BEFORE_KILL)
        && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void awaitEmpty(String uri) throws Exception {
    ClusterOptions options =
        ClusterOptions.defaults().cluster("soak").connectTimeout(Duration.ofSeconds(60));
    try (Cluster cluster = Cluster.open(uri, options)) {
      RemoteChan<KillRunNode.Item> chan = KillRunNode.open(cluster);
      long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
      while (chan.length() > 0) {
        assertThat(System.nanoTime() - end).as("messages left: %d", chan.length()).isNegative();
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  private void check() throws IOException {
    KillRunResults results =
        new KillRunResults(
            files("produce"), files("consume"), isForgetful() ? engineKills : List.of());
    System.out.printf(
        "kill run: seed %d, %d s, %d processes and %d engines killed; %s%n",
        SEED, SECONDS, kills, engineKills.size(), results);
    assertThat(kills + engineKills.size()).isPositive();
    results.check(MIN_SENT_PER_KILL * kills);
  }

  private List<Path> files(String role) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.getFileName().toString().matches(role + "[0-9]+")).toList();
    }
  }
}
