package io.heddle.internal.part;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The time slices of one M: how many it has begun, whether the present one is over, and when the
 * global queue comes first (rules F1, Q4, S3).
 */
public final class Slice {
  /*
   * field           writer                       readers            mode
   * tick            its M                        its M; sysmon      opaque; plain by its M
   * tickAtAcquire   its M                        its M; observers   plain
   * tickAtGlobal    its M                        its M              plain
   * over            sysmon sets, its M clears    its M              volatile
   * failedTick      its M; sysmon                its M; sysmon      volatile
   *
   * Sysmon acts only on a tick that has not changed during a whole time slice. A write that is so
   * old is visible to sysmon. A stale read would do little harm: a slice would end early, or a log
   * message would name the wrong goroutine.
   *
   * Slices and runs are counted in several places, because each counter has its own writer and
   * counts from a different moment.
   *   tick                counts the slices of the M since it began. It is authoritative.
   *                       ticksWithP and isGlobalTurn subtract an earlier tick from it.
   *   P.ticks             counts the slices of the former Ms of a P; P.ticks() adds those of the
   *                       present M.
   *   RunSlots.runs       counts the goroutines that the M has run one after the other, on the fast
   *                       path between goroutines, since it last searched for work.
   *   MCounters.switches  is increased by RunSlots.runs before the M searches again, so that the
   *                       fast path need not write a counter that other threads read.
   *
   * Checked by: MTest, SysmonTest.
   */
  private static final VarHandle TICK = Handles.field(MethodHandles.lookup(), "tick", int.class);

  /**
   * After this number of slices an M looks at the global queue first, so that goroutines there do
   * not starve. Go's number; it is prime, to avoid resonance with patterns of a program.
   */
  private static final int GLOBAL_TURN_TICKS = 61;

  private int tick;
  private int tickAtAcquire;
  private int tickAtGlobal;
  private volatile boolean over;

  /**
   * Equal to {@code tick + 1} if, in the present slice, a goroutine could not yield although it was
   * asked to. Every other value means that no yield has failed in this slice.
   */
  private volatile int failedTick;

  /**
   * Begins a slice. Not called for a goroutine from {@code runNext}, which inherits the slice of
   * the goroutine that woke it.
   */
  public void begin() {
    TICK.setOpaque(this, tick + 1);
  }

  /**
   * Begins the first slice with a P that the M has just acquired. Drops a pending request to yield,
   * because sysmon made it for the sake of the previous P.
   */
  public void beginWithP() {
    over = false;
    begin();
  }

  /** Returns the number of the present slice of this M. Callable by any thread. */
  public int tick() {
    return (int) TICK.getOpaque(this);
  }

  /** Returns how many slices were begun with the present P. Approximate for other threads. */
  public int ticksWithP() {
    return tick() - tickAtAcquire;
  }

  /** Lets {@link #ticksWithP} count from 0 again, for another P. Called by the M of this slice. */
  public void restartTicksWithP() {
    tickAtAcquire = tick;
  }

  /**
   * Whether the M must look at the global queue first in its next search (F1). Called by that M.
   */
  public boolean isGlobalTurn() {
    return tick - tickAtGlobal >= GLOBAL_TURN_TICKS;
  }

  /**
   * Returns {@link #isGlobalTurn}. If it is true, the next turn comes {@link #GLOBAL_TURN_TICKS}
   * slices later. Called by the M.
   */
  public boolean takeGlobalTurn() {
    if (!isGlobalTurn()) {
      return false;
    }
    tickAtGlobal = tick;
    return true;
  }

  /** Ends the slice: the goroutine must yield. Called by sysmon. */
  public void end() {
    over = true;
  }

  /** Whether sysmon has ended the slice ({@link #end}), and the M has not seen it yet. */
  public boolean isOver() {
    return over;
  }

  /** Clears the request of {@link #end} to yield; true if there was one. Called by the M. */
  public boolean consumeEnd() {
    if (over) {
      over = false;
      return true;
    }
    return false;
  }

  /**
   * Whether the running goroutine must yield: sysmon has ended its slice, and it has not failed to
   * yield in this slice yet.
   */
  public boolean asksToYield() {
    return over && !didYieldFail();
  }

  /** Records that the running goroutine cannot yield in this slice. Called by its M. */
  public void yieldFailed() {
    failedTick = tick + 1;
  }

  /** Asks again, because the goroutine may be able to yield by now. Called by sysmon. */
  public void askAgain() {
    failedTick = tick(); // means "failed in the previous slice", so not in this one
    over = true;
  }

  /** Whether the goroutine failed to yield in this slice. Callable by any thread. */
  public boolean didYieldFail() {
    return failedTick == tick() + 1;
  }
}
