package io.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.base.Duel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link IdleSet}. */
class IdleSetTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 128, 1024})
  void p1_holdsEachNumberBelowItsLimit(int limit) {
    IdleSet set = new IdleSet(limit);
    assertThat(members(set)).isEmpty();
    for (int i = 0; i < limit; i++) {
      assertThat(set.contains(i)).isFalse();
      set.add(i);
      assertThat(set.contains(i)).isTrue();
      assertThat(set.size()).isEqualTo(i + 1);
    }
    assertThat(members(set)).isEqualTo(IntStream.range(0, limit).boxed().toList());
    for (int i = 0; i < limit; i++) {
      set.remove(i);
      assertThat(set.contains(i)).isFalse();
      assertThat(set.next(0)).isEqualTo(i + 1 < limit ? i + 1 : -1);
    }
  }

  @Test
  void p1_addAndRemoveAreIdempotent() {
    IdleSet set = new IdleSet(2);
    set.add(1);
    set.add(1);
    assertThat(members(set)).containsExactly(1);
    set.remove(1);
    set.remove(1);
    assertThat(members(set)).isEmpty();
  }

  @Test
  void p1_nextFindsTheLowestNumberFromAStart() {
    IdleSet set = new IdleSet(200);
    for (int i : new int[] {0, 63, 64, 130}) {
      set.add(i);
    }
    assertThat(set.next(1)).isEqualTo(63);
    assertThat(set.next(63)).isEqualTo(63);
    assertThat(set.next(64)).isEqualTo(64);
    assertThat(set.next(65)).isEqualTo(130);
    assertThat(set.next(131)).isEqualTo(-1);
    assertThat(set.next(200)).isEqualTo(-1);
    assertThat(set.next(1024)).isEqualTo(-1);
  }

  @Test
  void p1_neighboursInOneWordDoNotOverwriteEachOther() {
    IdleSet set = new IdleSet(64);
    Duel.fight(
        100_000,
        new Duel.Round() {
          @Override
          public void left(int round) {
            flip(set, round % 32, round);
          }

          @Override
          public void right(int round) {
            flip(set, 32 + round % 32, round);
          }

          @Override
          public void judge(int round) {
            boolean in = (round & 32) == 0;
            assertThat(set.contains(round % 32)).isEqualTo(in);
            assertThat(set.contains(32 + round % 32)).isEqualTo(in);
          }
        });
  }

  /** Adds the number in 32 rounds, removes it in the next 32. */
  private static void flip(IdleSet set, int i, int round) {
    if ((round & 32) == 0) {
      set.add(i);
    } else {
      set.remove(i);
    }
  }

  private static List<Integer> members(IdleSet set) {
    List<Integer> members = new ArrayList<>();
    for (int i = set.next(0); i >= 0; i = set.next(i + 1)) {
      members.add(i);
    }
    return members;
  }
}
