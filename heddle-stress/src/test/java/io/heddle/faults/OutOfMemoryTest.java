package io.heddle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.faults.Inject.Kind;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory is missing at every place where Heddle allocates. The caller is told if it has to be; no
 * goroutine, wakeup, timer, P or M is lost; the scheduler still works and can be closed.
 *
 * <p>Each run draws some cases and prints the seed; with {@code -Pstress} it runs all.
 */
@Tag("full")
class OutOfMemoryTest {
  private static final boolean IS_SHORT =
      System.getProperty("heddle.faults", "short").equals("short");

  /** Cases per world, each of about twenty milliseconds. */
  private static final int FEW = 40;

  /**
   * How many allocations fail in a row in threads that cannot be told; these include allocations
   * that the error itself needs.
   */
  private static final int STORM = 4;

  @TempDir private Path dir;

  /** The additional load on the scheduler. */
  enum World {
    PLAIN(ChildJvm.OPENS),
    ADOPTING("-javaagent:%2$s=adopt", "-Dfaults.adopt=true"),
    AT_THE_LIMIT_OF_THREADS(ChildJvm.OPENS, "-Dfaults.threads=4"),
    TRACED(
        ChildJvm.OPENS,
        "-Dfaults.trace=%1$s/trace.bin",
        "-XX:StartFlightRecording=settings=none,filename=%1$s/recording.jfr,"
            + "+io.heddle.GoroutineStart#enabled=true,+io.heddle.GoroutineEnd#enabled=true,"
            + "+io.heddle.GoroutineRun#enabled=true,+io.heddle.LongWait#enabled=true");

    private final String[] flags;

    World(String... flags) {
      this.flags = flags;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostAtAnySite(World world) throws Exception {
    List<String> cases = cases(count(world));
    if (IS_SHORT) {
      cases = draw(cases);
    }
    Outcome outcome = run(world, cases);
    System.out.println(world + ": " + outcome.summary(cases.size()));
    assertThat(outcome.wrong).isEmpty();
    assertThat(outcome.reached).isGreaterThan(cases.size() / 2);
  }

  /** A lost wakeup is detected: injects a fault at a place where a real JVM has none. */
  @Test
  void lostWakeupIsDetected() throws Exception {
    List<String> sites = count(World.PLAIN, "twin");
    List<String> unparks =
        cases(sites).stream().filter(site -> site.contains("twin tryUnpark")).toList();
    assertThat(unparks).isNotEmpty();
    List<String> wrong = List.of();
    for (int i = 0; wrong.isEmpty() && i < unparks.size(); i++) { // a run may not reach the place
      wrong = run(World.PLAIN, List.of(unparks.get(i)), "twin").wrong;
    }
    assertThat(wrong).singleElement().asString().contains("not over");
  }

  private List<String> count(World world, String... agentOptions) throws Exception {
    Path file = dir.resolve("sites");
    ChildJvm child = child(world, agentOptions);
    ChildJvm.Result result = child.run(OomCases.class, "count", file.toString());
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    List<String> lines = Files.readAllLines(file);
    System.out.println(
        world
            + ": "
            + lines.getFirst()
            + " sites, reached "
            + (lines.size() - 1)
            + " by kind of thread");
    return lines.subList(1, lines.size());
  }

  /** At the first time, and at a time in the middle. */
  private static List<String> cases(List<String> sites) {
    List<String> cases = new ArrayList<>();
    for (String site : sites) {
      String[] parts = site.split("\t");
      int perRun = Integer.parseInt(parts[2]) / OomCases.COUNTED;
      String at = parts[0] + "\t" + parts[1] + "\t";
      cases.add(at + "1\t0");
      if (perRun >= 2) {
        cases.add(at + Math.max(2, perRun / 2) + "\t0");
      }
      Kind kind = Kind.valueOf(parts[1]);
      if (kind == Kind.M || kind == Kind.SYSMON) {
        cases.add(at + "1\t" + STORM);
      }
    }
    return cases;
  }

  private static List<String> draw(List<String> cases) {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    List<String> drawn = new ArrayList<>(cases);
    java.util.Collections.shuffle(drawn, new Random(seed));
    return drawn.subList(0, Math.min(FEW, drawn.size()));
  }

  private ChildJvm child(World world, String... agentOptions) throws IOException {
    Path heddle = HeddleJar.agentIn(dir);
    String options = agentOptions.length == 0 ? "" : "=" + agentOptions[0];
    ChildJvm child =
        FaultyJvm.in(dir)
            .flags("-javaagent:" + FaultyJvm.agentJar(dir, InjectAgent.class) + options)
            .within(Duration.ofMinutes(IS_SHORT ? 3 : 20));
    if (agentOptions.length > 0) {
      child.flags("-Dfaults.patience=2"); // the count must find sites
    }
    for (String flag : world.flags) {
      child.flags(String.format(flag, dir, heddle));
    }
    return child;
  }

  private static final class Outcome {
    final List<String> wrong = new ArrayList<>();
    int reached;
    int missed;

    String summary(int cases) {
      return cases
          + " cases: "
          + reached
          + " survived, "
          + wrong.size()
          + " not, "
          + missed
          + " not reached";
    }
  }

  /** Runs the cases in one JVM after another, each until a case fails. */
  private Outcome run(World world, List<String> cases, String... agentOptions) throws Exception {
    Outcome outcome = new Outcome();
    Path file = Files.write(dir.resolve("cases"), cases);
    int next = 0;
    while (next < cases.size() && outcome.wrong.size() < 50) {
      ChildJvm child = child(world, agentOptions);
      ChildJvm.Result result =
          child.run(OomCases.class, "run", file.toString(), Integer.toString(next));
      int last = read(result.out(), outcome);
      if (result.exitCode() != 0 && result.exitCode() != OomCases.FOUND) {
        outcome.wrong.add(cases.get(++last) + " ended the JVM: " + result.err());
      }
      next = Math.max(last, next) + 1;
    }
    return outcome;
  }

  /** Returns the number of the last case. */
  private static int read(String out, Outcome outcome) throws IOException {
    int last = -1;
    BufferedReader lines = new BufferedReader(new java.io.StringReader(out));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 3);
      if (words.length < 2 || !words[0].matches("\\d+")) {
        continue;
      }
      switch (words[1]) {
        case "OK" -> outcome.reached++;
        case "MISSED" -> outcome.missed++;
        case "WRONG" -> outcome.wrong.add(out.substring(out.indexOf(line)));
        default -> {
          continue;
        }
      }
      last = Integer.parseInt(words[0]);
    }
    return last;
  }
}
