package io.heddle.internal.timer;

import static io.heddle.internal.timer.TimerHeap.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When the timer heap fires which deadline: one test per promise. */
class TimerHeapTest extends TimerHeapFixture {
  @Test
  void t1_newHeapIsEmpty() {
    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.size()).isZero();
    assertThat(heap.runDue(NEVER)).isZero();
  }

  @Test
  void t1_deadlinesFireInOrderOfTime() {
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
  void t1_deadlineNeverFiresEarly() {
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
  void t1_deadlineAtNeverNeverFires() {
    Named a = named("a");
    a.arm(heap, NEVER, 0);

    assertThat(heap.earliest()).isEqualTo(NEVER);
    assertThat(heap.runDue(NEVER)).isZero();
    assertThat(a.isLive()).isTrue();
    a.arm(heap, NEVER - 1, 0);
    assertThat(heap.runDue(NEVER)).isEqualTo(1);
  }

  @Test
  void t1_negativeTimesFireInOrder() {
    named("b").arm(heap, -1, 0);
    named("a").arm(heap, Long.MIN_VALUE, 0);

    assertThat(heap.runDue(0)).isEqualTo(2);
    assertFired("a", "b");
  }

  @Test
  void t1_equalDeadlinesFireInOrderOfArming() {
    for (int i = 0; i < 30; i++) {
      named("" + i).arm(heap, 7, 0);
    }

    heap.runDue(7);
    assertFired(IntStream.range(0, 30).mapToObj(i -> "" + i).toArray(String[]::new));
  }

  @Test
  void t1_firstArmingKeepsTheOrder() {
    named("c").arm(heap, 7, 0);
    named("d").armFirst(heap, 7);
    Named b = named("b");
    b.armFirst(heap, 6);
    named("a").armFirst(heap, 5);
    Named never = named("never");
    never.armFirst(heap, 7);

    assertThat(heap.earliest()).isEqualTo(5);
    assertThat(never.stop()).isTrue();
    assertThat(b.arm(heap, 8, 0)).isTrue();
    heap.checkInvariants();
    heap.runDue(8);
    assertFired("a", "c", "d", "b");
  }

  /** Their entries are created out of order, and are moved only when they reach the root. */
  @Test
  void t1_equalDeadlinesFireInOrderOfLastArming() {
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
    b.arm(heap, 20, 0); // the same time
    heap.checkInvariants();

    heap.runDue(20);
    assertFired("c", "a", "d", "b");
  }

  @Test
  void t1_stoppedDeadlineDoesNotFire() {
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
  void t1_stopOfUnarmedOrFiredDeadlineReturnsFalse() {
    Named a = named("a");
    assertThat(a.stop()).isFalse();
    a.arm(heap, 1, 0);
    heap.runDue(1);
    assertThat(a.stop()).isFalse();
  }

  @Test
  void t1_stoppedDeadlineCanBeArmedForAnyTime() {
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
  void t1_armingEarlierMovesTheDeadlineForward() {
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
  void t1_armingLaterMovesTheDeadlineBack() {
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

  /** Its entry is at 5, its time is 30, and the new time is between the two. */
  @Test
  void t1_armingLaterThenEarlierFiresAtTheLastTime() {
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
  void t1_periodicDeadlineFiresOncePerRunAndKeepsItsPhase() {
    Named a = named("a");
    a.arm(heap, 10, 5);

    assertThat(heap.runDue(10)).isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(15);
    assertThat(heap.runDue(14)).isZero();
    assertThat(heap.runDue(33)).as("missed firings are not made up for").isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(35);
    assertThat(heap.runDue(35)).isEqualTo(1);
    assertThat(heap.earliest()).isEqualTo(40);
    assertThat(a.isLive()).isTrue();
    assertThat(a.stop()).isTrue();
    assertThat(heap.runDue(100)).isZero();
    assertFired("a", "a", "a");
  }

  @Test
  void t1_rearmedPeriodicDeadlineHasTheNewPeriod() {
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
  void t1_periodBeyondTheEndOfTimeNeverFiresAgain() {
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
  void t1_negativePeriodThrows() {
    Named a = named("a");
    assertThatThrownBy(() -> a.arm(heap, 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period -1: allowed is 0 or more");
    assertThat(a.isLive()).isFalse();
  }

  @Test
  void t1_generationChangesWithArmAndStopButNotWithFiring() {
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
  void t1_generationIsNotReusedInAnotherHeap() {
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
  void t1_firingDeadlineMayArmAndStop() {
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
    assertFired("d", "r", "d"); // each firing of d found a live victim
  }
}
