package io.heddle.internal.note;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A spin lock for scheduler state that goroutines and Ms both touch. It is held for a few
 * instructions, never parks a waiter, and is not reentrant.
 *
 * <p>The caller must not be unmounted while it holds the lock: it must be a platform thread, or a
 * virtual thread inside {@code Executor.execute}, which the JDK pins. An ordinary lock could be
 * passed to an unmounted goroutine while every M waits for that lock.
 */
public final class RuntimeLock {
  /*
   * Ordering: lock's compare-and-set (acquire) pairs with unlock's release store.
   *
   * A waiter backs off exponentially and then also yields to the operating system
   * (Backoff.SHORT_LOCK, docs/decisions, 20). The yield is needed because with more Ms than cores
   * the holder may be preempted. The growing pauses are needed because each look at the lock takes
   * its cache line away from the holder, which is likely to lock again.
   *
   * Rejected: parking waiters. Inside execute a park would consume the permit of the goroutine that
   * called it.
   */
  private static final VarHandle HELD =
      Handles.field(MethodHandles.lookup(), "held", boolean.class);

  /**
   * The backoff of a waiter. It is initialized together with this class, because a waiter at the
   * end of its stack could not load another class.
   */
  private static final Backoff BACKOFF = Backoff.SHORT_LOCK;

  private final Runnable osYield;
  private volatile boolean held;

  /**
   * Creates a free lock.
   *
   * @param osYield gives the rest of the thread's time slice to another thread of the process
   */
  public RuntimeLock(Runnable osYield) {
    this.osYield = osYield;
  }

  /** Acquires the lock; spins while another thread holds it. */
  public void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      lockSlow();
    }
  }

  /** Releases the lock, which the caller must hold. */
  public void unlock() {
    assert held : "unlock of a runtime lock that is not held";
    HELD.setRelease(this, false);
  }

  private void lockSlow() {
    int round = 0;
    do {
      round = BACKOFF.pause(round, osYield);
    } while (held || !HELD.compareAndSet(this, false, true));
  }
}
