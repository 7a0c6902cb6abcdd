package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole quick demo, written to a file instead of a terminal. */
class DemoTest {
  private static Run run;

  @BeforeAll
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  static void play() {
    run = Run.of("demo", "--quick", "--procs", "4");
  }

  @Test
  void exitsWithZero() {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void showsTheOrder() {
    assertThat(run.out()).contains("9 0 1 2 3 4 5 6 7 8");
  }

  @Test
  void showsWhichMsRanHowManyGoroutinesOnHowManyPs() {
    assertThat(run.out()).contains("procs(1)", "procs(2)", "procs(4)", "steals", "█");
  }

  @Test
  void showsTheRaceRoundByRound() {
    assertThat(run.out()).contains("Start 100,000", "round 1 of 3:  Heddle", "round 3 of 3");
  }

  @Test
  void hasNoEscapeCodesAndNoMovingLine() {
    assertThat(run.out()).doesNotContain("\u001b").doesNotContain("\r");
  }

  @Test
  void namesTheCpuAndWarnsAboutOtherLoad() {
    assertThat(run.out()).containsPattern("\nCPU: \\S+").contains("one run shows little");
  }

  @Test
  void fitsOnAScreen() {
    assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(run.out().lines().count()).isLessThanOrEqualTo(70); // five sections
  }
}
