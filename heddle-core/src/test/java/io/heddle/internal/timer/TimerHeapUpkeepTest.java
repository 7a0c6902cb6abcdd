package io.heddle.internal.timer;

import static io.heddle.internal.timer.TimerHeap.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The timer heap's maintenance: notification of its owner, clean-up, moves and shrinking. */
class TimerHeapUpkeepTest extends TimerHeapFixture {
  @Test
  void t1_onlyAnEarlierEarliestIsReported() {
    Named a = named("a");
    a.arm(heap, 50, 0);
    named("b").arm(heap, 60, 0);
    named("c").arm(heap, 50, 0);
    named("d").arm(heap, 40, 0);
    a.arm(heap, 70, 0);
    a.arm(heap, 30, 0);
    a.stop();
    named("e").arm(heap, 35, 0); // removes the stopped entry at 30, so earliest becomes later
    assertThat(heap.earliest()).isEqualTo(35);
    assertThat(told).containsExactly(50L, 40L, 30L);
  }

  @Test
  void t1_stoppedEntriesAreRemovedWhenTheyAreTooMany() {
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
  void t1_cleanUpSortsRearmedEntries() {
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
  void t1_smallHeapIsNotCleanedUp() {
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
  void t1_moveLosesNoDeadlineAndDropsStoppedOnes() {
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
    named("new").armFirst(heap, 1);
    assertThat(heap.size()).isZero();
    assertThat(other.runDue(1)).isEqualTo(5);
    assertFired("0", "1", "6", "3", "new");
    assertThat(other.runDue(1_999)).isEqualTo(95);
    assertThat(other.runDue(2_000)).isEqualTo(1);
    other.checkInvariants();
  }

  @Test
  void t1_armingFollowsSeveralMoves() {
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
    HeapArray entries = new HeapArray(long[]::new);
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
          .isLessThanOrEqualTo(Math.max(HeapArray.MIN_CAPACITY, 4 * n))
          .isGreaterThanOrEqualTo(Math.min(1024, 2 * (n - 1)));
    }
    assertThat(entries.capacity()).isEqualTo(HeapArray.MIN_CAPACITY);
  }
}
