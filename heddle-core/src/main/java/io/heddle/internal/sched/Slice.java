package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time slices of one M: how many it has begun, whether the present one is over, and when the global queue comes first
 * (rules F1, Q4, S3).
 */
final class Slice {
  /*
   * field           writer                       readers            mode
   * tick            its M                        its M; sysmon      opaque; plain by its M
   * tickAtAcquire   its M                        its M              plain
   * tickAtGlobal    its M                        its M              plain
   * over            sysmon sets, its M clears    its M              volatile
   * failedTick      its M; sysmon                its M; sysmon      volatile
   *
   * Sysmon acts only on a tick that did not change during a whole time slice, which it sees by then. If it is wrong
   * after all, a slice ends early, or a log names the wrong goroutine.
   *
   * Checked by: MTest, SysmonTest.
   */
  private static final VarHandle TICK = Handles.field(MethodHandles.lookup(), "tick", int.class);

  /** Go's number of scheduling ticks between two looks at the global queue: prime, to avoid resonance. */
  private static final int GLOBAL_EVERY = 61;

  private int tick;
  private int tickAtAcquire;
  private int tickAtGlobal;
  private volatile boolean over;

  /** One more than the tick of the slice in which the goroutine could not yield although it was asked to. */
  private volatile int failedTick;

  /** Begins a slice. A goroutine that inherits the slice of the one that woke it begins none. */
  void begin() {
    TICK.setOpaque(this, tick + 1);
  }

  /** Begins the first slice with a P that was just acquired; a request to yield was about the P before. */
  void beginWithP() {
    over = false;
    begin();
  }

  /** Changes with each slice. Any thread. */
  int tick() {
    return (int) TICK.getOpaque(this);
  }

  /** Returns how many slices were begun with the present P. Any thread; approximate. */
  int ticksWithP() {
    return tick() - tickAtAcquire;
  }

  /** From now on {@link #ticksWithP} counts from 0. Its M. */
  void restartTicksWithP() {
    tickAtAcquire = tick;
  }

  /** Whether the global queue must come first the next time (F1). Its M. */
  boolean isGlobalTurn() {
    return tick - tickAtGlobal >= GLOBAL_EVERY;
  }

  /** If {@link #isGlobalTurn}, begins to count anew and returns true. Its M. */
  boolean takeGlobalTurn() {
    if (!isGlobalTurn()) {
      return false;
    }
    tickAtGlobal = tick;
    return true;
  }

  /** Ends the slice: the goroutine must yield. Sysmon. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** Whether the slice was over; from now on it is not. Its M. */
  boolean consumeEnd() {
    if (over) {
      over = false;
      return true;
    }
    return false;
  }

  /** Whether the running goroutine must yield, and has not failed to in this slice. */
  boolean asksToYield() {
    return over && !didYieldFail();
  }

  /** The running goroutine cannot yield in this slice. Its M. */
  void yieldFailed() {
    failedTick = tick + 1;
  }

  /** Asks again: the goroutine may be able to yield by now. Sysmon. */
  void askAgain() {
    failedTick = tick(); // of the slice before
    over = true;
  }

  /** Whether the goroutine failed to yield in this slice. Any thread. */
  boolean didYieldFail() {
    return failedTick == tick() + 1;
  }
}
