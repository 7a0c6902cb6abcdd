package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LingerTest {
  private static final long A_MOMENT = 1_000;
  private static final long LONG = 10_000_000;

  private final IdleSpin linger = new IdleSpin();

  @Test
  void atFirstItIsNothing() {
    assertThat(linger.nanos()).isZero();
  }

  @Test
  void whoeverIsWokenAtOnceStaysUpForLonger() {
    linger.slept(A_MOMENT);
    long first = linger.nanos();
    linger.slept(A_MOMENT);
    assertThat(first).isPositive();
    assertThat(linger.nanos()).isGreaterThan(first);
  }

  @Test
  void butNotForEver() {
    for (int i = 0; i < 100; i++) {
      linger.slept(A_MOMENT);
    }
    assertThat(linger.nanos()).isEqualTo(IdleSpin.MAX_SPIN_NANOS);
  }

  @Test
  void f7_whoeverSleepsWellSoonStaysUpNoMore() {
    for (int i = 0; i < 100; i++) {
      linger.slept(A_MOMENT);
    }
    for (int i = 0; i < 6; i++) {
      linger.slept(LONG);
    }
    assertThat(linger.nanos()).isZero();
  }

  @Test
  void aSleepAtTheLimitIsALongOne() {
    linger.slept(IdleSpin.SHORT_SLEEP_NANOS);
    assertThat(linger.nanos()).isZero();
  }
}
