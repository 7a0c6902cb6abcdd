package io.heddle.internal.note;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A spin lock for scheduler state that goroutines and Ms both touch. It is held for a few
 * instructions, never parks a waiter, and is not reentrant.
 *
 * <p>The caller must not be unmounted while it holds the lock. So it must be a platform thread, a
 * pinned virtual thread, or code that does not park between lock and unlock. The JDK pins a virtual
 * thread inside {@code Executor.execute}. A lock that parks its waiters would deadlock. It could be
 * handed to an unmounted goroutine while every M that could mount the goroutine waits for the lock.
 */
public final class RuntimeLock {
  /*
   * Ordering: lock's compare-and-set (acquire) pairs with unlock's release store.
   *
   * A waiter backs off exponentially and then also yields to the operating system
   * (Backoff.SHORT_LOCK, docs/decisions, 20). The yield is needed because with more Ms than cores
   * the holder may be preempted. The growing pauses are needed because each read of the lock takes
   * its cache line away from the holder, which is likely to lock again.
   *
   * Priority inversion. The holder may be a thread of low priority (a background M). An OS yield
   * does not help the holder, because the yield lets only threads of the same priority run. So a
   * waiter sleeps in the operating system after each YIELDS_PER_NAP yields (Backoff.napWith), and
   * its core is free for the holder. The wait then ends after some naps of 0.1 ms, unless other
   * threads of normal priority occupy every core. In that case the fairness of the operating system
   * bounds the wait: docs/guide/operating.md has figures. A background M takes the lock of another
   * scheduler's global queue, to make a goroutine of that scheduler runnable. It also takes the
   * locks of channels and other objects that goroutines of both schedulers use. It takes no other
   * locks of another scheduler.
   *
   * Rejected: parking waiters. A goroutine that waits here, inside G.execute, may be about to park
   * for a reason of its own, and another thread may have unparked it already. A park in here would
   * consume that permit, and the goroutine would later sleep forever.
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
