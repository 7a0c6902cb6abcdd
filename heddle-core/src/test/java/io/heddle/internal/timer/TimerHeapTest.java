package io.heddle.internal.timer;

import static io.heddle.internal.timer.TimerHeap.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.HangGuard;
import io.heddle.internal.base.Duel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the timer heap promises, a test per promise and race: hence so long. */
@HangGuard
class TimerHeapTest {
  private final List<String> fired = new ArrayList<>();
  private final List<Long> told = new ArrayList<>();
  private final TimerHeap heap = new TimerHeap(Thread::yield, told::add);

  @AfterEach
  @HangGuard
  void invariantsHold() {
    heap.checkInvariants();
  }

  @Test
  void t1_newHeapIsEmpty() {
    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.size()).isZero();
    assertThat(heap.runDue(NEVER)).isZero();
  }

  @Test
  void t1_earliestFirstWhateverTheOrderOfArming() {
    for (int when : new int[] {50, 20, 90, 10, 70, 30, 80, 60, 40}) {
      named("" + when).arm(heap, when, 0);
    }

    assertThat(heap.earliest()).isEqualTo(10);
    assertThat(heap.runDue(100)).isEqualTo(9);
    assertFired("10", "20", "30", "40", "50", "60", "70", "80", "90");
    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.size()).isZero();
  }

  @Test
  void t1_neverEarly() {
    Named a = named("a");
    assertThat(a.arm(heap, 10, 0)).isFalse();

    assertThat(heap.runDue(9)).isZero();
    assertThat(a.isLive()).isTrue();
    assertThat(heap.runDue(10)).isEqualTo(1);
    assertThat(a.isLive()).isFalse();
    assertThat(heap.runDue(11)).isZero();
    assertFired("a");
  }

  @Test
  void t1_whatIsNeverDueStaysWhateverTheTime() {
    Named a = named("a");
    a.arm(heap, NEVER, 0);

    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.runDue(NEVER)).isZero();
    assertThat(a.isLive()).isTrue();
    a.arm(heap, NEVER - 1, 0);
    assertThat(heap.runDue(NEVER)).isEqualTo(1);
  }

  @Test
  void t1_timesBelowZeroAreDueAndInOrder() {
    named("b").arm(heap, -1, 0);
    named("a").arm(heap, Long.MIN_VALUE, 0);

    assertThat(heap.runDue(0)).isEqualTo(2);
    assertFired("a", "b");
  }

  @Test
  void t1_equalDeadlinesFireInTheOrderOfArming() {
    for (int i = 0; i < 30; i++) {
      named("" + i).arm(heap, 7, 0);
    }

    heap.runDue(7);
    assertFired(IntStream.range(0, 30).mapToObj(i -> "" + i).toArray(String[]::new));
  }

  /** Although their entries are made out of order, and moved only when they come to the root. */
  @Test
  void t1_equalDeadlinesFireInTheOrderOfTheirLastArming() {
    Named a = named("a");
    Named b = named("b");
    Named c = named("c");
    Named d = named("d");
    a.arm(heap, 10, 0);
    c.arm(heap, 5, 0);
    d.arm(heap, 90, 0);
    b.arm(heap, 20, 0);
    c.arm(heap, 20, 0); // later
    a.arm(heap, 20, 0); // later
    d.arm(heap, 20, 0); // earlier
    b.arm(heap, 20, 0); // the same
    heap.checkInvariants();

    heap.runDue(20);
    assertFired("c", "a", "d", "b");
  }

  @Test
  void t1_aStoppedOneDoesNotFire() {
    Named a = named("a");
    a.arm(heap, 10, 0);

    assertThat(a.stop()).isTrue();
    assertThat(a.isLive()).isFalse();
    assertThat(a.stop()).isFalse();
    assertThat(heap.size()).as("its entry is still there").isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(10);
    assertThat(heap.runDue(10)).isZero();
    assertThat(heap.size()).isZero();
    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertFired();
  }

  @Test
  void t1_stopOfOneThatNeverWasArmedOrHasFiredIsFalse() {
    Named a = named("a");
    assertThat(a.stop()).isFalse();
    a.arm(heap, 1, 0);
    heap.runDue(1);
    assertThat(a.stop()).isFalse();
  }

  @Test
  void t1_aStoppedOneCanBeArmedAgainForAnyTime() {
    for (int when : new int[] {5, 10, 15}) {
      Named a = named("" + when);
      a.arm(heap, 10, 0);
      a.stop();

      assertThat(a.arm(heap, when, 0)).isFalse();
      assertThat(heap.size()).isEqualTo(1);
      heap.checkInvariants();
      assertThat(heap.earliest()).isLessThanOrEqualTo(when);
      assertThat(heap.runDue(when - 1)).isZero();
      assertThat(heap.runDue(when)).isEqualTo(1);
    }
    assertFired("5", "10", "15");
  }

  @Test
  void t1_armingForEarlierMovesItForward() {
    Named a = named("a");
    named("b").arm(heap, 10, 0);
    a.arm(heap, 20, 0);

    assertThat(a.arm(heap, 5, 0)).isTrue();
    assertThat(heap.size()).isEqualTo(2);
    assertThat(heap.earliest()).isEqualTo(5);
    assertThat(heap.runDue(5)).isEqualTo(1);
    assertThat(heap.runDue(20)).isEqualTo(1);
    assertFired("a", "b");
  }

  @Test
  void t1_armingForLaterMovesItBack() {
    Named a = named("a");
    a.arm(heap, 5, 0);
    named("b").arm(heap, 10, 0);

    assertThat(a.arm(heap, 20, 0)).isTrue();
    assertThat(heap.size()).isEqualTo(2);
    assertThat(heap.runDue(19)).isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(20);
    assertThat(heap.runDue(20)).isEqualTo(1);
    assertFired("b", "a");
  }

  /** Its entry is at 5, its time 30, the new one between the two. */
  @Test
  void t1_armingForLaterAndThenForEarlierFiresAtTheLast() {
    Named a = named("a");
    a.arm(heap, 5, 0);
    a.arm(heap, 30, 0);
    a.arm(heap, 10, 0);
    named("b").arm(heap, 9, 0);

    assertThat(heap.runDue(9)).isEqualTo(1);
    assertThat(heap.runDue(10)).isEqualTo(1);
    assertThat(heap.runDue(30)).isZero();
    assertFired("b", "a");
  }

  @Test
  void t1_aPeriodicOneFiresOncePerRunAndKeepsItsBeat() {
    Named a = named("a");
    a.arm(heap, 10, 5);

    assertThat(heap.runDue(10)).isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(15);
    assertThat(heap.runDue(14)).isZero();
    assertThat(heap.runDue(33)).as("those that were missed are not made up for").isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(35);
    assertThat(heap.runDue(35)).isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(40);
    assertThat(a.isLive()).isTrue();
    assertThat(a.stop()).isTrue();
    assertThat(heap.runDue(100)).isZero();
    assertFired("a", "a", "a");
  }

  @Test
  void t1_aPeriodicOneArmedAnewHasTheNewPeriod() {
    Named a = named("a");
    a.arm(heap, 10, 5);
    a.arm(heap, 20, 100);
    heap.runDue(20);
    assertThat(heap.earliest()).isEqualTo(120);

    a.arm(heap, 50, 0);
    assertThat(heap.runDue(50)).isEqualTo(1);
    assertThat(heap.size()).isZero();
  }

  @Test
  void t1_aPeriodThatLeadsBeyondTimeIsNeverAgain() {
    Named a = named("a");
    Named b = named("b");
    a.arm(heap, 10, Long.MAX_VALUE);
    b.arm(heap, Long.MIN_VALUE, 7);

    assertThat(heap.runDue(100)).isEqualTo(2);
    heap.checkInvariants();
    assertThat(heap.earliest()).isEqualTo(107);
    b.stop();
    assertThat(heap.runDue(NEVER - 1)).isZero();
    assertThat(a.isLive()).isTrue();
  }

  @Test
  void t1_aPeriodBelowZeroIsRefused() {
    Named a = named("a");
    assertThatThrownBy(() -> a.arm(heap, 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period -1: allowed is 0 or more");
    assertThat(a.isLive()).isFalse();
  }

  @Test
  void t1_generationChangesWithEachArmingAndEachStopAndNotWithFiring() {
    Named a = named("a");
    List<Long> seen = new ArrayList<>();
    seen.add(a.generation());
    a.arm(heap, 10, 0);
    seen.add(a.generation());
    a.arm(heap, 20, 0);
    seen.add(a.generation());
    a.arm(heap, 5, 0);
    seen.add(a.generation());
    a.stop();
    seen.add(a.generation());
    a.stop();
    seen.add(a.generation());
    a.arm(new TimerHeap(Thread::yield, told::add), 5, 0);
    seen.add(a.generation());
    assertThat(seen).isSorted().doesNotHaveDuplicates();

    heap.runDue(5);
    assertThat(a.generations).containsExactly(a.generation());
  }

  @Test
  void t1_generationIsNotGivenAgainByAHeapThatHasGivenFew() {
    Named a = named("a");
    for (int i = 0; i < 10; i++) {
      a.arm(heap, i, 0);
    }
    long before = a.generation();
    heap.runDue(10);
    TimerHeap other = new TimerHeap(Thread::yield, told::add);
    a.arm(other, 1, 0);
    assertThat(a.generation()).isGreaterThan(before);
    Named b = named("b");
    b.arm(other, 1, 0);
    assertThat(other.runDue(1)).isEqualTo(2);
    assertFired("a", "a", "b");
  }

  @Test
  void t1_whoeverFiresMayArmAndStop() {
    Named victim = named("victim");
    Deadline d =
        new Deadline() {
          @Override
          protected void fire(long generation) {
            fired.add("d");
            assertThat(victim.stop()).isTrue();
            if (fired.size() < 3) {
              arm(heap, 1, 0);
            }
          }
        };
    Named rescuer =
        new Named("r", fired) {
          @Override
          protected void fire(long generation) {
            super.fire(generation);
            victim.arm(heap, 9, 0);
          }
        };
    victim.arm(heap, 9, 0);
    d.arm(heap, 1, 0);
    rescuer.arm(heap, 1, 2);
    assertThat(heap.runDue(1)).isEqualTo(3);
    assertFired("d", "r", "d"); // each d found a live victim
  }

  @Test
  void t1_onlyAnEarlierEarliestIsTold() {
    Named a = named("a");
    a.arm(heap, 50, 0);
    named("b").arm(heap, 60, 0);
    named("c").arm(heap, 50, 0);
    named("d").arm(heap, 40, 0);
    a.arm(heap, 70, 0);
    a.arm(heap, 30, 0);
    a.stop();
    named("e").arm(heap, 35, 0); // the zombie at 30 goes, so earliest becomes later
    assertThat(heap.earliest()).isEqualTo(35);
    assertThat(told).containsExactly(50L, 40L, 30L);
  }

  @Test
  void t1_zombiesAreCleanedUpWhenTheyAreTooMany() {
    Named[] all = armHundred();
    for (int i = 99; i >= 75; i--) {
      all[i].stop();
    }
    named("one more").arm(heap, 1_000, 0);
    assertThat(heap.size()).as("25 of 100 are not too many").isEqualTo(101);

    all[74].stop();
    named("another").arm(heap, 1_001, 0);
    assertThat(heap.size()).as("26 of 101 are").isEqualTo(101 - 26 + 1);
    heap.checkInvariants();
    all[80].arm(heap, 5_000, 0);
    assertThat(heap.runDue(999)).isEqualTo(74);
    assertThat(heap.runDue(NEVER)).isEqualTo(3);
  }

  @Test
  void t1_cleaningUpPutsThoseArmedForLaterWhereTheyBelong() {
    Named[] all = armHundred();
    all[1].arm(heap, 5_000, 0);
    for (int i = 50; i < 100; i++) {
      all[i].stop();
    }
    named("one more").arm(heap, 1_000, 0);
    heap.checkInvariants();
    assertThat(heap.size()).isEqualTo(51);
    assertThat(heap.runDue(4_999)).isEqualTo(50);
    assertThat(heap.earliest()).isEqualTo(5_000);
  }

  @Test
  void t1_aSmallHeapIsNotCleanedUp() {
    Named[] all = IntStream.range(0, 63).mapToObj(i -> named("" + i)).toArray(Named[]::new);
    for (int i = 0; i < 63; i++) {
      all[i].arm(heap, i, 0);
    }
    for (int i = 1; i < 63; i++) {
      all[i].stop();
    }
    named("one more").arm(heap, 1_000, 0);
    assertThat(heap.size()).isEqualTo(64);
    named("another").arm(heap, 1_000, 0);
    assertThat(heap.size()).as("that makes 64, which is not small").isEqualTo(3);
  }

  @Test
  void t1_moveLosesNothingAndLeavesTheStoppedBehind() {
    TimerHeap other = new TimerHeap(Thread::yield, told::add);
    Named[] all = armHundred();
    all[3].stop();
    all[4].arm(heap, 2_000, 0);
    named("there").arm(other, 50, 0);
    told.clear();

    heap.moveAllTo(other);
    assertThat(told).as("the other's owner may sleep until 50").containsExactly(0L);
    assertThat(heap.size()).isZero();
    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.runDue(NEVER)).isZero();
    assertThat(other.size()).isEqualTo(100);
    other.checkInvariants();
    assertThat(all[3].isLive()).isFalse();

    assertThat(all[5].stop()).isTrue();
    assertThat(all[6].arm(heap, 1, 0)).isTrue();
    assertThat(all[3].arm(heap, 1, 0)).as("an arming here goes there").isFalse();
    assertThat(heap.size()).isZero();
    assertThat(other.runDue(1)).isEqualTo(4);
    assertFired("0", "1", "6", "3");
    assertThat(other.runDue(1_999)).isEqualTo(95);
    assertThat(other.runDue(2_000)).isEqualTo(1);
    other.checkInvariants();
  }

  @Test
  void t1_anArmingFollowsSeveralMoves() {
    TimerHeap second = new TimerHeap(Thread::yield, told::add);
    TimerHeap third = new TimerHeap(Thread::yield, told::add);
    named("a").arm(heap, 1, 0);
    heap.moveAllTo(second);
    second.moveAllTo(third);
    named("b").arm(heap, 2, 0);
    assertThat(third.runDue(2)).isEqualTo(2);
    assertThatThrownBy(() -> third.moveAllTo(heap))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a timer heap cannot move into itself");
  }

  @Test
  void t1_arrayShrinksWhenMostlyEmpty() {
    Entries entries = new Entries(long[]::new);
    for (int i = 0; i < 1_000; i++) {
      entries.reserve(1);
      entries.add(named("" + i), 1_000 - i, i);
    }
    assertThat(entries.capacity()).isEqualTo(1024);
    entries.checkInvariants();
    while (entries.size() > 0) {
      int n = entries.size();
      assertThat(entries.key(0)).isEqualTo(1_001 - n);
      entries.removeFirst();
      entries.trim();
      entries.checkInvariants();
      assertThat(entries.capacity())
          .isLessThanOrEqualTo(Math.max(Entries.LEAST, 4 * n))
          .isGreaterThanOrEqualTo(Math.min(1024, 2 * (n - 1)));
    }
    assertThat(entries.capacity()).isEqualTo(Entries.LEAST);
  }

  /** Each growth takes two arrays from the test's memory: either may be refused. */
  @Test
  void t1_withoutMemoryTheHeapStaysAsItIsAndTheDeadlineDead() {
    for (int refused = 1; refused <= 2; refused++) {
      Memory memory = new Memory();
      TimerHeap poor = new TimerHeap(Thread::yield, told::add, memory::take);
      Named[] all = IntStream.range(0, 17).mapToObj(i -> named("" + i)).toArray(Named[]::new);
      for (int i = 0; i < 16; i++) {
        all[i].arm(poor, 16 - i, 0);
      }
      memory.left = refused - 1;
      assertThatThrownBy(() -> all[16].arm(poor, 1, 0)).isInstanceOf(OutOfMemoryError.class);
      assertThat(all[16].isLive()).isFalse();
      assertThat(all[15].arm(poor, 0, 0)).as("needs no memory").isTrue();
      assertThat(poor.size()).isEqualTo(16);
      poor.checkInvariants();

      memory.left = 2;
      assertThat(all[16].arm(poor, 1, 0)).isFalse();
      memory.left = 0; // cannot even shrink
      assertThat(poor.runDue(16)).isEqualTo(17);
    }
  }

  @Test
  void t1_withoutMemoryNothingMoves() {
    Memory memory = new Memory();
    TimerHeap poor = new TimerHeap(Thread::yield, told::add, memory::take);
    Named[] all = armHundred();
    memory.left = 1;
    assertThatThrownBy(() -> heap.moveAllTo(poor)).isInstanceOf(OutOfMemoryError.class);
    poor.checkInvariants();
    assertThat(poor.size()).isZero();
    assertThat(all[7].arm(heap, 0, 0)).isTrue();
    assertThat(heap.runDue(NEVER)).isEqualTo(100);
  }

  /** An overflow comes before anything is done: no lock stays held, no arming is lost. */
  @Test
  void t1_atTheEndOfAStackNothingBreaks() throws InterruptedException {
    Deep deep = new Deep(heap);
    Named ticker = named("tick");
    ticker.arm(heap, 0, 1); // so that there is always something due
    deep.use(); // whatever is linked at the first use
    for (int round = 0; round < 8; round++) {
      Thread thread = new Thread(null, deep::begin, "small", 256 * 1024);
      thread.setDaemon(true); // in case that it hangs
      thread.start();
      thread.join();
      heap.checkInvariants();
    }
    assertThat(ticker.stop()).isTrue();
    heap.runDue(NEVER);
    assertThat(deep.refused).as("times that there was no room").isPositive();
    assertThat(deep.armed).isEqualTo(deep.ended + deep.fired);
    assertThat(heap.size()).isZero();
  }

  /** One stops or arms anew what the other fires: each arming has one fate. */
  @Test
  void t1_oneOfStopAndFireWins() {
    Named a = named("a");
    boolean[] stopped = new boolean[1];
    Duel.fight(
        30_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            fired.clear();
            a.arm(heap, round, 0);
          }

          @Override
          public void left(int round) {
            stopped[0] = a.stop();
          }

          @Override
          public void right(int round) {
            heap.runDue(round);
          }

          @Override
          public void judge(int round) {
            assertThat(fired).hasSize(stopped[0] ? 0 : 1);
            assertThat(a.isLive()).isFalse();
          }
        });
  }

  /** For the times 0 to 99. */
  private Named[] armHundred() {
    Named[] all = IntStream.range(0, 100).mapToObj(i -> named("" + i)).toArray(Named[]::new);
    for (int i = 0; i < 100; i++) {
      all[i].arm(heap, i, 0);
    }
    return all;
  }

  private Named named(String name) {
    return new Named(name, fired);
  }

  private void assertFired(String... names) {
    assertThat(fired).containsExactly(names);
  }

  /** One that notes when it fires. */
  private static class Named extends Deadline {
    private final String name;
    private final List<String> fired;
    final List<Long> generations = new ArrayList<>();

    Named(String name, List<String> fired) {
      this.name = name;
      this.fired = fired;
    }

    @Override
    protected void fire(long generation) {
      fired.add(name);
      generations.add(generation);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Goes down to the end of the stack, and arms, stops and runs on the way back. */
  private static final class Deep extends Deadline {
    private final TimerHeap heap;
    private long now;
    int armed;
    int ended;
    int fired;
    int refused;

    Deep(TimerHeap heap) {
      this.heap = heap;
    }

    void begin() {
      try {
        descend();
      } catch (StackOverflowError e) {
        // As intended.
      }
    }

    private void descend() {
      try {
        descend();
      } catch (StackOverflowError e) {
        use();
        throw e;
      }
    }

    void use() {
      for (int step = 0; step < 6; step++) {
        try {
          useOnce(step);
        } catch (StackOverflowError e) {
          refused++;
        }
      }
    }

    private void useOnce(int step) {
      switch (step) {
        case 0, 2, 3 -> armAt(++now + 10 * (3 - step)); // for later, and for earlier
        case 1 -> ended += stop() ? 1 : 0;
        case 4 -> heap.runDue(++now);
        default -> armAt(now);
      }
    }

    private void armAt(long when) {
      boolean wasLive = arm(heap, when, 0);
      armed++;
      ended += wasLive ? 1 : 0;
    }

    @Override
    protected void fire(long generation) {
      fired++;
    }
  }

  /** Arrays, until there are none left. */
  private static final class Memory {
    int left = Integer.MAX_VALUE;

    long[] take(int n) {
      if (left-- <= 0) {
        throw new OutOfMemoryError("as the test wants it");
      }
      return new long[n];
    }
  }
}
