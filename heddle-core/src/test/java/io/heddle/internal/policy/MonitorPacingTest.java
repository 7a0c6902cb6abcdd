package io.heddle.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the monitor looks next, and when it sleeps: rule S1. */
class MonitorPacingTest {
  private static final long SLICE = 10_000_000;
  private static final long HALF_A_SLICE = SLICE / 2;

  private final MonitorPacing pacing = new MonitorPacing(SLICE);

  @Test
  void s1_whileBusyThePauseStaysShortForFiftyLooksAndDoublesThen() {
    for (int i = 0; i < MonitorPacing.EAGER_LOOKS; i++) {
      pacing.looked(false, true);
      assertThat(pacing.pauseNanos()).isEqualTo(MonitorPacing.MIN_PAUSE_NANOS);
    }
    pacing.looked(false, true);
    assertThat(pacing.pauseNanos()).isEqualTo(2 * MonitorPacing.MIN_PAUSE_NANOS);
    pacing.looked(false, true);
    assertThat(pacing.pauseNanos()).isEqualTo(4 * MonitorPacing.MIN_PAUSE_NANOS);
    for (int i = 0; i < 100; i++) {
      pacing.looked(false, true);
    }
    assertThat(pacing.pauseNanos()).isEqualTo(HALF_A_SLICE);
    assertThat(pacing.maySleep()).as("something is to be watched").isFalse();
  }

  @Test
  void s1_actingMakesThePauseShortAgain() {
    for (int i = 0; i < 100; i++) {
      pacing.looked(false, true);
    }
    pacing.looked(true, true);
    assertThat(pacing.pauseNanos()).isEqualTo(MonitorPacing.MIN_PAUSE_NANOS);
  }

  @Test
  void s1_quietLooksDoubleThePauseAtOnceAndThenLetTheMonitorSleep() {
    for (int i = 1; i < MonitorPacing.MAX_QUIET_LOOKS; i++) {
      pacing.looked(false, false);
      assertThat(pacing.pauseNanos())
          .isEqualTo(Math.min(HALF_A_SLICE, MonitorPacing.MIN_PAUSE_NANOS << Math.min(i, 20)));
      assertThat(pacing.maySleep()).isFalse();
    }
    pacing.looked(false, false);
    assertThat(pacing.maySleep()).isTrue();
  }

  @Test
  void s1_oneBusyLookBeginsTheCountOfQuietOnesAnew() {
    for (int i = 1; i < MonitorPacing.MAX_QUIET_LOOKS; i++) {
      pacing.looked(false, false);
    }
    pacing.looked(false, true);
    for (int i = 1; i < MonitorPacing.MAX_QUIET_LOOKS; i++) {
      pacing.looked(false, false);
      assertThat(pacing.maySleep()).isFalse();
    }
  }

  @Test
  void g4_deadlocksAreLookedForSeveralTimesBeforeTheMonitorSleeps() {
    List<Integer> checks = new ArrayList<>();
    for (int i = 1; i <= MonitorPacing.MAX_QUIET_LOOKS; i++) {
      pacing.looked(false, false);
      if (pacing.mustCheckDeadlock()) {
        checks.add(i);
      }
    }
    assertThat(checks).containsExactly(3, 9, 15);
  }

  @Test
  void s1_afterAnErrorTheMonitorMaySleepAndAWakeUpBeginsAnew() {
    pacing.failed();
    assertThat(pacing.maySleep()).isTrue();
    pacing.restart();
    assertThat(pacing.maySleep()).isFalse();
    assertThat(pacing.pauseNanos()).isEqualTo(MonitorPacing.MIN_PAUSE_NANOS);
  }

  @Test
  void s1_pauseIsBoundedByGosLimitsWhateverTheSliceIs() {
    MonitorPacing slow = new MonitorPacing(1_000_000_000);
    MonitorPacing fast = new MonitorPacing(1);
    for (int i = 0; i < 100; i++) {
      slow.looked(false, true);
      fast.looked(false, true);
    }
    assertThat(slow.pauseNanos()).isEqualTo(MonitorPacing.MAX_PAUSE_NANOS);
    assertThat(fast.pauseNanos()).isEqualTo(MonitorPacing.MIN_PAUSE_NANOS);
  }
}
