package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import org.jspecify.annotations.Nullable;

/** A thread that waits for one of the locks of this package, or for something like it. */
final class Waiter extends WaitNode {
  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  /** Since when it waits, in the time of {@link System#nanoTime}. */
  final long since = SchedClock.nanoTime();

  /** How much it wants, where that can be said. */
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

  /** A lock for what waiters wait for. */
  static RuntimeLock guard() {
    return new RuntimeLock(OS_YIELD);
  }

  /** The calling thread is about to wait here, again maybe, for something that goroutines of {@code maker} made. */
  void begin(String reason, @Nullable Sched maker) {
    joinRound(owner().begin(reason));
    owner().setClosedWorld(CreatorScheduler.isInside(maker));
  }

  /** Waits until it is fired; false if it has given up before. Whoever gave up is to leave its queue. */
  boolean await(WaitLimit patience) {
    return patience.await(owner(), round());
  }

  /** A chain of those that are to be woken: this, and {@code others}. */
  Waiter before(@Nullable Waiter others) {
    alsoFired = others;
    return this;
  }

  /** Under the lock. */
  static @Nullable Waiter fireFirst(WaitQueue queue) {
    return (Waiter) queue.fireFirst(null);
  }

  /** Under the lock: fires all; returns them as a chain. */
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

  /** Without the lock: those of the chain go on. */
  static void wakeAll(@Nullable Waiter chain) {
    for (Waiter each = chain; each != null; ) {
      Waiter next = each.alsoFired;
      each.alsoFired = null;
      each.owner().wakeUp();
      each = next;
    }
  }
}
