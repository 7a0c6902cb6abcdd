package io.heddle.bench.channels;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each wake method releases all waiters, which {@link Waiters} itself checks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitersTest {
  @ParameterizedTest
  @EnumSource
  void allWaitersAreReleased(Waiters.WakeMethod way) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(() -> assertThat(Waiters.nanosPerWaiter(way, 50, 2)).isPositive());
    }
  }
}
