package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import org.jspecify.annotations.Nullable;

/**
 * The place of one waiting thread in the queue of a mutex, condition, semaphore, wait group or
 * {@link Once}.
 *
 * <p>A waiter is served in two steps. Under the lock of the queue, the serving thread <i>fires</i>
 * the waiter. This ends the wait, unless a time limit or an interrupt has ended it before. After
 * the unlock, the serving thread wakes the waiting thread. If it serves several waiters, it links
 * them to a chain as it fires them, and wakes their threads after the unlock. An empty chain is
 * null.
 */
final class Waiter extends WaitNode {
  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  /**
   * When the thread began to wait, in the time of {@link SchedClock#nanoTime}. It stays the same if
   * the waiter is queued again.
   */
  final long since = SchedClock.nanoTime();

  /** The weight that the thread requests from a semaphore; otherwise 1. */
  final long amount;

  /** The next waiter in the chain of fired waiters; null if this one is the last. */
  private @Nullable Waiter alsoFired;

  private Waiter(WaitState wait, long amount) {
    super(wait, 0);
    this.amount = amount;
  }

  /** Makes a waiter that requests the weight {@code amount}, for a semaphore. */
  static Waiter of(long amount) {
    return new Waiter(new WaitState(), amount);
  }

  /** Makes a waiter for anything but a semaphore. */
  static Waiter one() {
    return of(1);
  }

  /** Makes the lock that guards a queue of waiters. */
  static RuntimeLock guard() {
    return new RuntimeLock(OS_YIELD);
  }

  /**
   * Begins a wait of the calling thread. The thread may use the same waiter for several waits, one
   * after the other. {@code reason} is the wait reason that dumps show. {@code maker} is the
   * scheduler whose goroutine made the object that the thread waits for, or null.
   */
  void begin(String reason, @Nullable Sched maker) {
    joinRound(owner().begin(reason));
    owner().setClosedWorld(CreatorScheduler.isInside(maker));
  }

  /**
   * Waits until this waiter is fired, and returns true. Returns false if the time limit of
   * {@code patience} or an interrupt came first; then the caller must remove this waiter from its
   * queue.
   */
  boolean await(WaitLimit patience) {
    return patience.await(owner(), round());
  }

  /**
   * Adds this waiter to the chain {@code others} as the first; returns the new chain. {@code
   * others} is null if it is empty.
   */
  Waiter before(@Nullable Waiter others) {
    alsoFired = others;
    return this;
  }

  /**
   * Fires the first waiter in {@code queue} whose wait has not ended yet, removes it and returns
   * it; null if there is none. The caller holds the lock of the queue.
   */
  static @Nullable Waiter fireFirst(WaitQueue queue) {
    return (Waiter) queue.fireFirst(null);
  }

  /**
   * Fires and removes all waiters in {@code queue}. Returns a chain of the waiters whose wait this
   * call has ended; null if there are none. The caller holds the lock of the queue.
   */
  static @Nullable Waiter fireAll(WaitQueue queue) {
    Waiter chain = null;
    for (Waiter next = fireFirst(queue); next != null; next = fireFirst(queue)) {
      chain = next.before(chain);
    }
    return chain;
  }

  /** Returns the number of waiters in the chain; 0 for null. */
  static int count(@Nullable Waiter chain) {
    int n = 0;
    for (Waiter each = chain; each != null; each = each.alsoFired) {
      n++;
    }
    return n;
  }

  /**
   * Wakes the threads of all waiters in the chain, which is null if it is empty. The caller holds
   * no lock.
   */
  static void wakeAll(@Nullable Waiter chain) {
    for (Waiter each = chain; each != null; ) {
      Waiter next = each.alsoFired;
      each.alsoFired = null;
      each.owner().wakeUp();
      each = next;
    }
  }
}
