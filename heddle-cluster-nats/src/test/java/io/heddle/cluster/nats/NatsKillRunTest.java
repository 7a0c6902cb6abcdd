package io.heddle.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.RemoteChan;
import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * last has sent or received some dozens of values. Sometimes the server is killed instead. {@code
 * -Dheddle.soak.seconds=} sets how long this goes on, {@code -Dheddle.soak.seed=} which are killed.
 */
@Tag("full")
@Tag("soak")
class NatsKillRunTest {
  private static final int EACH = 3;
  private static final int ONE_SERVER_IN = 15;

  /** How much the newest process has written before the next kill: about 50 lines. */
  private static final int BYTES_BEFORE_KILL = 2_000;

  /** Half of the processes that are killed are producers, so about 25 are expected at least. */
  private static final int MIN_SENT_PER_KILL = 10;

  private static final long SECONDS = Long.getLong("heddle.soak.seconds", 20);
  private static final long SEED = Long.getLong("heddle.soak.seed", System.nanoTime());

  @TempDir private Path folder;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
  private final List<Process> all = new ArrayList<>();
  private int started;
  private Path newest;
  private int kills;
  private final List<Long> serverKills = new ArrayList<>();

  private Process start(String uri, String role) throws IOException {
    String name = role + started++;
    newest = folder.resolve(name);
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
                folder.resolve(name).toString(),
                folder.resolve("end").toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve(name + ".err").toFile())
            .start();
    all.add(process);
    return process;
  }

  @Test
  void nothingIsLostWhileProcessesAreKilled() throws Exception {
    try (NatsServer server = NatsServer.start()) {
      List<Process> producers = new ArrayList<>();
      List<Process> consumers = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        producers.add(start(server.uri(), "produce"));
        consumers.add(start(server.uri(), "consume"));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() < end) {
        TimeUnit.SECONDS.sleep(1);
        awaitAtWork(end);
        if (random.nextInt(ONE_SERVER_IN) == 0) {
          server.kill();
          serverKills.add(System.nanoTime());
          server.restart();
        } else {
          kills++;
          boolean isProducer = random.nextBoolean();
          List<Process> from = isProducer ? producers : consumers;
          int victim = random.nextInt(EACH);
          from.get(victim).destroyForcibly().onExit().join();
          from.set(victim, start(server.uri(), isProducer ? "produce" : "consume"));
        }
      }
      Files.createFile(folder.resolve("end"));
      for (Process each : producers) {
        assertThat(each.waitFor(2, TimeUnit.MINUTES)).as("a producer ends").isTrue();
        assertThat(each.exitValue()).as("exit code of a producer").isZero();
      }
      awaitEmpty(server.uri());
      check();
    } finally {
      all.forEach(Process::destroyForcibly);
    }
  }

  /** Waits until the newest process has done some work, so that values flow between two kills. */
  private void awaitAtWork(long end) throws Exception {
    while ((!Files.exists(newest) || Files.size(newest) < BYTES_BEFORE_KILL)
        && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void awaitEmpty(String uri) throws Exception {
    ClusterOptions options = ClusterOptions.defaults().cluster("soak");
    try (Cluster cluster = Cluster.open(uri, options)) {
      RemoteChan<KillRunNode.Item> chan = KillRunNode.open(cluster);
      long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
      while (chan.length() > 0) {
        assertThat(System.nanoTime() - end).as("messages left: %d", chan.length()).isNegative();
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (ClusterException e) {
      throw new AssertionError(e);
    }
  }

  /** When values were confirmed, by sender and number. */
  private final Map<String, Map<Integer, Long>> confirmed = new HashMap<>();

  private final Map<String, BitSet> received = new HashMap<>();
  private long delivered;
  private long disordered;

  private void check() throws IOException {
    List<String> sent = new ArrayList<>();
    for (Path file : files("produce")) {
      for (String line : Files.readAllLines(file)) {
        sent.add(line);
        String[] words = line.split(" ");
        confirmed
            .computeIfAbsent(words[0], _ -> new HashMap<>())
            .put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      }
    }
    for (Path file : files("consume")) {
      checkConsumer(Files.readAllLines(file));
    }
    List<String> lost = new ArrayList<>();
    for (String line : sent) {
      String[] words = line.split(" ");
      if (!received.getOrDefault(words[0], new BitSet()).get(Integer.parseInt(words[1]))) {
        lost.add(line);
      }
    }
    long different = received.values().stream().mapToLong(BitSet::cardinality).sum();
    System.out.printf(
        "kill run: seed %d, %d s, %d processes and %d servers killed; %,d sends confirmed,"
            + " %,d items delivered %,d times (%,d duplicates), %d lost,"
            + " %d order violations among first deliveries%n",
        SEED,
        SECONDS,
        kills,
        serverKills.size(),
        sent.size(),
        different,
        delivered,
        delivered - different,
        lost.size(),
        disordered);
    assertThat(kills).isPositive();
    assertThat(sent).as("values between kills").hasSizeGreaterThan(MIN_SENT_PER_KILL * kills);
    assertThat(lost).as("confirmed and never delivered").isEmpty();
    assertThat(disordered).as("order violations among first deliveries").isZero();
    assertThat(different).as("no item from nowhere").isGreaterThanOrEqualTo(sent.size());
  }

  private void checkConsumer(List<String> lines) {
    Map<String, Integer> last = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      int number = Integer.parseInt(words[1]);
      delivered++;
      received.computeIfAbsent(words[0], _ -> new BitSet()).set(number);
      boolean isFirst = words[3].equals("1");
      if (isFirst && !mayBeForgotten(words[0], number, Long.parseLong(words[2]))) {
        Integer before = last.put(words[0], number);
        disordered += before != null && before >= number ? 1 : 0;
      }
    }
  }

  /**
   * Whether the server was killed after it had stored a value and before it was delivered. A killed
   * server forgets how often it has handed out what: another delivery then counts as the first.
   */
  private boolean mayBeForgotten(String sender, int number, long deliveredAt) {
    Long storedAt = confirmed.getOrDefault(sender, Map.of()).get(number);
    return serverKills.stream()
        .anyMatch(kill -> kill - deliveredAt < 0 && (storedAt == null || storedAt - kill < 0));
  }

  private List<Path> files(String role) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.getFileName().toString().matches(role + "[0-9]+")).toList();
    }
  }
}
