package io.heddle.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdleSpinTest {
  private static final long SHORT_NANOS = 1_000;
  private static final long LONG_NANOS = 10_000_000;

  private final IdleSpin spin = new IdleSpin();

  @Test
  void spinTimeStartsAtZero() {
    assertThat(spin.nanos()).isZero();
  }

  @Test
  void shortSleepsLengthenTheSpinTime() {
    spin.slept(SHORT_NANOS);
    long first = spin.nanos();
    spin.slept(SHORT_NANOS);
    assertThat(first).isPositive();
    assertThat(spin.nanos()).isGreaterThan(first);
  }

  @Test
  void spinTimeIsBounded() {
    for (int i = 0; i < 100; i++) {
      spin.slept(SHORT_NANOS);
    }
    assertThat(spin.nanos()).isEqualTo(IdleSpin.MAX_SPIN_NANOS);
  }

  @Test
  void f7_longSleepsReduceTheSpinTimeToZero() {
    for (int i = 0; i < 100; i++) {
      spin.slept(SHORT_NANOS);
    }
    for (int i = 0; i < 6; i++) {
      spin.slept(LONG_NANOS);
    }
    assertThat(spin.nanos()).isZero();
  }

  @Test
  void sleepAtTheLimitCountsAsLong() {
    spin.slept(IdleSpin.SHORT_SLEEP_NANOS);
    assertThat(spin.nanos()).isZero();
  }
}
