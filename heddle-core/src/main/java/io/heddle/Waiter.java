package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import org.jspecify.annotations.Nullable;

/** A thread that waits in a queue of a mutex, semaphore, wait group or once. */
final class Waiter extends WaitNode {
  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  /** When its wait began, in the time of {@link System#nanoTime}. */
  final long since = SchedClock.nanoTime();

  /** The weight that it requests from a semaphore; otherwise 1. */
  final long amount;

  private @Nullable Waiter alsoFired;

  private Waiter(WaitState wait, long amount) {
    super(wait, 0);
    this.amount = amount;
  }

  static Waiter of(long amount) {
    return new Waiter(new WaitState(), amount);
  }

  static Waiter one() {
    return of(1);
  }

  /** Makes the lock that guards a queue of waiters. */
  static RuntimeLock guard() {
    return new RuntimeLock(OS_YIELD);
  }

  /**
   * Begins a wait of the calling thread, which may have waited here before. {@code maker} is the
   * scheduler whose goroutine made the object that it waits for, or null.
   */
  void begin(String reason, @Nullable Sched maker) {
    joinRound(owner().begin(reason));
    owner().setClosedWorld(CreatorScheduler.isInside(maker));
  }

  /**
   * Waits until it is fired. Returns false if it gave up before; the caller must then take it out
   * of its queue.
   */
  boolean await(WaitLimit patience) {
    return patience.await(owner(), round());
  }

  /** Adds this to a chain of waiters to wake, before {@code others}. */
  Waiter before(@Nullable Waiter others) {
    alsoFired = others;
    return this;
  }

  /** Under the lock: ends the wait of the first waiter that still waits; null if there is none. */
  static @Nullable Waiter fireFirst(WaitQueue queue) {
    return (Waiter) queue.fireFirst(null);
  }

  /** Under the lock: ends all waits; returns the waiters as a chain. */
  static @Nullable Waiter fireAll(WaitQueue queue) {
    Waiter chain = null;
    for (Waiter next = fireFirst(queue); next != null; next = fireFirst(queue)) {
      chain = next.before(chain);
    }
    return chain;
  }

  static int count(@Nullable Waiter chain) {
    int n = 0;
    for (Waiter each = chain; each != null; each = each.alsoFired) {
      n++;
    }
    return n;
  }

  /** Without the lock: unparks all waiters of the chain. */
  static void wakeAll(@Nullable Waiter chain) {
    for (Waiter each = chain; each != null; ) {
      Waiter next = each.alsoFired;
      each.alsoFired = null;
      each.owner().wakeUp();
      each = next;
    }
  }
}
