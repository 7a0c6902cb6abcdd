package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An idle scheduler uses no CPU: rule F7. */
@HangGuard
class IdleTest {
  /** A twentieth of a core: more than the JVM itself uses, and far less than one polling thread. */
  private static final double MOST_CPU = 0.05;

  @Tag("full")
  @Test
  void f7_thousandParkedGoroutinesUseNoCpu() throws Exception {
    assertThat(whileIdle("parked")).containsEntry("keepers", 0.0);
  }

  @Test
  void f7_thousandSleepersUseNoCpuAndOneTimekeeper() throws Exception {
    Map<String, Double> during = whileIdle("asleep");
    assertThat(during.get("keepers")).as("Ms that wait for a timer").isEqualTo(1);
    assertThat(during.get("sysmonAsleep")).isEqualTo(1);
  }

  private static Map<String, Double> whileIdle(String how) throws Exception {
    // Only the first compiler, so that compilation ends before the measurement.
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-XX:TieredStopAtLevel=1").run("child.IdleGoroutines", how);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    Map<String, Double> during = parse(result.out());
    assertThat(during.get("switches")).as("runs of a goroutine").isZero();
    assertThat(during.get("threadParks")).as("Ms that slept anew, so had been awake").isZero();
    assertThat(during.get("timersFired")).isZero();
    assertThat(during.get("spinningThreads")).isZero();
    assertThat(during.get("busyProcs")).isZero();
    assertThat(during.get("awakeThreads")).isZero();
    assertThat(during.get("goroutines")).isEqualTo(1_000);
    assertThat(during.get("cpuSeconds") / during.get("seconds"))
        .as("share of a core")
        .isLessThan(MOST_CPU);
    return during;
  }

  /** Parses {@code name=number} pairs, separated by blanks. */
  private static Map<String, Double> parse(String line) {
    return Stream.of(line.strip().split(" "))
        .map(pair -> pair.split("="))
        .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1])));
  }
}
