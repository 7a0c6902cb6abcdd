package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Endless loops on every processor do not keep other goroutines from running, and progress equally:
 * rule S3.
 */
@HangGuard
class StarvationTest {
  private static final int TICKS = 200;

  /** The operating system shares two cores among the loops, the JVM and other processes. */
  private static final int UNFAIR = 4;

  @Test
  void s3_tickerRunsBesideEndlessLoopsThatProgressEqually() throws Exception {
    Map<String, String> said = run(ChildJvm.onClassPath(), "heddle", Integer.toString(TICKS), "3");
    assertThat(Integer.parseInt(said.get("ticks"))).isGreaterThanOrEqualTo(TICKS);
    System.out.println("99 % of the ticks came within " + said.get("p99micros") + " µs");
    long[] progress =
        Arrays.stream(said.get("progress").split(",")).mapToLong(Long::parseLong).toArray();
    long mean = (long) Arrays.stream(progress).average().orElseThrow();
    assertThat(mean).isPositive();
    for (long each : progress) {
      assertThat(each).as(said.toString()).isBetween(mean / UNFAIR, mean * UNFAIR);
    }
  }

  /** The contrast to Heddle. If this test fails, the JDK's scheduler has learnt to preempt. */
  @Tag("full")
  @Test
  void s3_tickerNeverRunsOnTheJdksScheduler() throws Exception {
    Map<String, String> said =
        run(
            ChildJvm.onClassPath()
                .flags(
                    "-Djdk.virtualThreadScheduler.parallelism=2",
                    "-Djdk.virtualThreadScheduler.maxPoolSize=2"),
            "jdk");
    assertThat(said).containsEntry("ticks", "0");
  }

  /** Returns the child's output, {@code name=value} line by line. */
  private static Map<String, String> run(ChildJvm jvm, String... args) throws Exception {
    String[] main = new String[args.length + 1];
    main[0] = "child.Hogs";
    System.arraycopy(args, 0, main, 1, args.length);
    ChildJvm.Result result = jvm.run(main);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return result
        .out()
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }
}
