package io.heddle.internal.timer;

import static io.heddle.internal.timer.TimerHeap.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.Duel;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The timer heap without memory, without stack space, and with two competing threads. */
class TimerHeapFaultsTest extends TimerHeapFixture {
  /** Each growth takes two arrays from the test's memory: either may be refused. */
  @Test
  void t1_failedGrowthLeavesHeapAndDeadlineUnchanged() {
    for (int refused = 1; refused <= 2; refused++) {
      Memory memory = new Memory();
      TimerHeap poor = new TimerHeap(Thread::yield, told::add, memory::take);
      Named[] all = IntStream.range(0, 17).mapToObj(i -> named("" + i)).toArray(Named[]::new);
      for (int i = 0; i < 16; i++) {
        all[i].arm(poor, 16 - i, 0);
      }
      memory.left = refused - 1;
      assertThatThrownBy(() -> all[16].arm(poor, 1, 0)).isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> all[16].armFirst(poor, 1)).isInstanceOf(OutOfMemoryError.class);
      assertThat(all[16].isLive()).isFalse();
      assertThat(all[15].arm(poor, 0, 0)).as("needs no memory").isTrue();
      assertThat(poor.size()).isEqualTo(16);
      poor.checkInvariants();

      memory.left = 2;
      assertThat(all[16].arm(poor, 1, 0)).isFalse();
      memory.left = 0; // there is not even memory to shrink
      assertThat(poor.runDue(16)).isEqualTo(17);
    }
  }

  @Test
  void t1_failedMoveLeavesBothHeapsUnchanged() {
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

  /** An overflow occurs before any change: no lock stays held, no arming is lost. */
  @Tag("full")
  @Test
  void t1_stackOverflowCorruptsNothing() throws InterruptedException {
    Deep deep = new Deep(heap);
    Named ticker = named("tick");
    ticker.arm(heap, 0, 1); // so that one timer is always due
    deep.use(); // links everything at the first use
    for (int round = 0; round < 8; round++) {
      Thread thread = new Thread(null, deep::begin, "small", 256 * 1024);
      thread.setDaemon(true); // in case it hangs
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

  /** One thread stops or re-arms the deadline that the other fires: each arming has one outcome. */
  @Test
  void t1_eitherStopOrFireWins() {
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

  /** Recurses to the end of the stack, and arms, stops and runs timers while it returns. */
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
        case 0, 2, 3 -> armAt(++now + 10 * (3 - step)); // later, then earlier
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

  /** Allocates arrays, until none are left. */
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
