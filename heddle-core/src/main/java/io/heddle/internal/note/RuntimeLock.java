package io.heddle.internal.note;

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
   * A waiter spins, then asks the operating system to run somebody else: with more Ms than cores the holder may be off
   * its core.
   *
   * Rejected: parking waiters. Inside execute a park would eat the permit of the goroutine that called it.
   */
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(RuntimeLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Longer than any critical section takes when its holder is on a core. */
  private static final int SPINS = 100;

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
    for (int spin = 0; ; spin++) {
      if (!held && HELD.compareAndSet(this, false, true)) {
        return;
      }
      if (spin < SPINS) {
        Thread.onSpinWait();
      } else {
        osYield.run();
      }
    }
  }
}
