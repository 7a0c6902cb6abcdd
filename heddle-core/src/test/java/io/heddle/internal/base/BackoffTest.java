package io.heddle.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
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
  void waiterNapsAfterEvery16YieldsOnceThereAreNaps() {
    AtomicInteger naps = new AtomicInteger();
    assertThat(yieldsAfter(Backoff.SHORT_LOCK, 4 + 40)).isEqualTo(40);
    Backoff.napWith(naps::incrementAndGet);
    try {
      assertThat(yieldsAfter(Backoff.SHORT_LOCK, 4 + 15)).isEqualTo(15);
      assertThat(naps).hasValue(0);
      assertThat(yieldsAfter(Backoff.SHORT_LOCK, 4 + 33)).isEqualTo(33);
      assertThat(naps).hasValue(2);
      assertThat(yieldsAfter(Backoff.STATE_CHANGE, 64 + 16)).isEqualTo(16);
      assertThat(naps).hasValue(3);
    } finally {
      Backoff.napWith(null);
    }
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
