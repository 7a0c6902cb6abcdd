package io.heddle.internal.note;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The lock for scheduler state that goroutines and Ms both touch: held for a few instructions, never parks, not
 * reentrant.
 *
 * <p>To be taken only where the caller cannot be unmounted: on a platform thread, or on a virtual thread inside {@code
 * Executor.execute}, which the JDK pins. An ordinary lock would be handed to an unmounted goroutine while every M waits
 * for it.
 */
public final class RuntimeLock {
  /*
   * Ordering: lock's compare-and-set (acquire) pairs with unlock's release store.
   *
   * A waiter pauses, twice as long each time, then also asks the operating system to run somebody else: with more Ms than
   * cores the holder may be off its core. Each look takes the line away from who has the lock, and is likely to want it
   * again: whoever comes late had better leave it alone for a while (docs/decisions, 20).
   *
   * Rejected: parking waiters. Inside execute a park would eat the permit of the goroutine that called it.
   */
  private static final VarHandle HELD =
      Handles.field(MethodHandles.lookup(), "held", boolean.class);

  private static final int FEWEST_PAUSES = 8;

  /** In all that is longer than any critical section takes when its holder is on a core. */
  private static final int MOST_PAUSES = 128;

  private final Runnable osYield;
  private volatile boolean held;

  /** {@code osYield} gives the rest of the thread's time slice to another thread of the process. */
  public RuntimeLock(Runnable osYield) {
    this.osYield = osYield;
  }

  public void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      lockSlow();
    }
  }

  public void unlock() {
    assert held : "unlock of a runtime lock that is not held";
    HELD.setRelease(this, false);
  }

  private void lockSlow() {
    int pauses = FEWEST_PAUSES;
    do {
      for (int i = 0; i < pauses; i++) {
        Thread.onSpinWait();
      }
      if (pauses < MOST_PAUSES) {
        pauses *= 2;
      } else {
        osYield.run();
      }
    } while (held || !HELD.compareAndSet(this, false, true));
  }
}
