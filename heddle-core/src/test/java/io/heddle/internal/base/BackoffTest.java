package io.heddle.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The presets of {@link Backoff}, round by round. */
class BackoffTest {
  private int yields;

  @Test
  void shortLockSpins8To128TimesAndThenAlsoYields() {
    assertThat(IntStream.range(0, 7).map(Backoff.SHORT_LOCK::spins))
        .containsExactly(8, 16, 32, 64, 128, 128, 128);
    assertThat(yieldsAfter(Backoff.SHORT_LOCK, 4)).isZero();
    assertThat(yieldsAfter(Backoff.SHORT_LOCK, 7)).isEqualTo(3);
  }

  @Test
  void stateChangeSpinsOncePerRoundAndYieldsAfter64Rounds() {
    assertThat(IntStream.range(0, 66).map(Backoff.STATE_CHANGE::spins)).containsOnly(1);
    assertThat(yieldsAfter(Backoff.STATE_CHANGE, 64)).isZero();
    assertThat(yieldsAfter(Backoff.STATE_CHANGE, 66)).isEqualTo(2);
  }

  @Test
  void roundNumberStopsGrowingOnceEveryRoundYields() {
    assertThat(Backoff.SHORT_LOCK.pause(4, () -> {})).isEqualTo(4);
    assertThat(Backoff.STATE_CHANGE.pause(63, () -> {})).isEqualTo(64);
    assertThat(Backoff.STATE_CHANGE.pause(64, () -> {})).isEqualTo(64);
  }

  private int yieldsAfter(Backoff backoff, int rounds) {
    yields = 0;
    int round = 0;
    for (int i = 0; i < rounds; i++) {
      round = backoff.pause(round, () -> yields++);
    }
    return yields;
  }
}
