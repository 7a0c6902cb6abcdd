package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time slices of one M: how many it has begun, whether the present one is over, and when the
 * global queue comes first (rules F1, Q4, S3).
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
   * Sysmon acts only on a tick that has not changed during a whole time slice; such an old write is
   * visible to it. If a stale read misleads it nevertheless, a slice ends early, or a log names the
   * wrong goroutine.
   *
   * Slices and runs are counted in several places, because each counter has one writer and another
   * start. tick counts slices since the M began; it is authoritative, and ticksWithP and
   * isGlobalTurn are differences to it. P.ticks sums the slices of the former Ms of a P; P.ticks()
   * adds those of the present M. M.runs counts goroutines since the M was last in the scheduler;
   * MCounters.switches sums it up once per stay there, so that a switch costs no counter that
   * others read.
   *
   * Checked by: MTest, SysmonTest.
   */
  private static final VarHandle TICK = Handles.field(MethodHandles.lookup(), "tick", int.class);

  /**
   * Go's number of scheduling ticks between two looks at the global queue: prime, to avoid
   * resonance.
   */
  private static final int GLOBAL_TURN_TICKS = 61;

  private int tick;
  private int tickAtAcquire;
  private int tickAtGlobal;
  private volatile boolean over;

  /**
   * One more than the tick of the slice in which the goroutine could not yield although it was
   * asked to.
   */
  private volatile int failedTick;

  /** Begins a slice. A goroutine that inherits the slice of the one that woke it begins none. */
  void begin() {
    TICK.setOpaque(this, tick + 1);
  }

  /**
   * Begins the first slice with a P that was just acquired. A pending request to yield was about
   * the previous P, so it is dropped.
   */
  void beginWithP() {
    over = false;
    begin();
  }

  /** Returns a number that changes with each slice. Callable by any thread. */
  int tick() {
    return (int) TICK.getOpaque(this);
  }

  /** Returns how many slices were begun with the present P. Approximate for other threads. */
  int ticksWithP() {
    return tick() - tickAtAcquire;
  }

  /** Lets {@link #ticksWithP} count from 0. Called by its M. */
  void restartTicksWithP() {
    tickAtAcquire = tick;
  }

  /** Whether the global queue must come first the next time (F1). Called by its M. */
  boolean isGlobalTurn() {
    return tick - tickAtGlobal >= GLOBAL_TURN_TICKS;
  }

  /** Restarts the count and returns true if {@link #isGlobalTurn}. Called by its M. */
  boolean takeGlobalTurn() {
    if (!isGlobalTurn()) {
      return false;
    }
    tickAtGlobal = tick;
    return true;
  }

  /** Ends the slice: the goroutine must yield. Called by sysmon. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** Clears the request of {@link #end}; true if there was one. Called by its M. */
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

  /** Records that the running goroutine cannot yield in this slice. Called by its M. */
  void yieldFailed() {
    failedTick = tick + 1;
  }

  /** Asks again, because the goroutine may be able to yield by now. Called by sysmon. */
  void askAgain() {
    failedTick = tick(); // of the slice before
    over = true;
  }

  /** Whether the goroutine failed to yield in this slice. Callable by any thread. */
  boolean didYieldFail() {
    return failedTick == tick() + 1;
  }
}
