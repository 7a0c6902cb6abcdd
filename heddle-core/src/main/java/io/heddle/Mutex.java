package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.wait.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Go's mutex: not reentrant, and not owned: a thread may unlock what another has locked.
 *
 * <p>Normally who comes at the right moment gets it before those who wait. Whoever has waited for more than a
 * millisecond gets it from the one that unlocks it, first come first. Works from goroutines and from any other thread.
 */
public final class Mutex implements Lock {
  /*
   * States, bits of one word:
   *   LOCKED   somebody has it
   *   WAITERS  the queue is not empty
   *   WOKEN    one was woken to try again and has not done so yet: no other need be woken
   *
   * Invariants: WAITERS and WOKEN change only under the guard. LOCKED can be set by anybody who finds it clear; it is
   * cleared without the guard only if no other bit is set. So whoever has set WAITERS while it was locked is seen by the
   * one that unlocks it.
   *
   * Differences from Go: no mode of the mutex. Whoever unlocks it looks how long the first has waited, and if that is too
   * long does not unlock but hand over, with LOCKED set all the time, so that those who come have to queue. No spinning.
   *
   * Ordering: all changes of the word are volatile compare-and-sets.
   *
   * Checked by: MutexTest, MutexLincheckTest.
   */
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Mutex.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int LOCKED = 1;
  private static final int WAITERS = 2;
  private static final int WOKEN = 4;

  /** As in Go. */
  private static final long STARVING_NANOS = 1_000_000;

  /** What tells a waiter that the mutex is its own; one that finds nothing is to try again. */
  private static final Object YOURS = new Object();

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private volatile int state;

  /** Of the goroutine that made it; null if it was made outside. */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** An unlocked one. */
  public Mutex() {}

  @Override
  public void lock() {
    CreatorScheduler.recordUse();
    if (!casState(0, LOCKED)) {
      lockSlow(WaitLimit.UNINTERRUPTIBLE);
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    WaitLimit.checkInterrupt();
    CreatorScheduler.recordUse();
    if (!casState(0, LOCKED) && !lockSlow(WaitLimit.INTERRUPTIBLE)) {
      WaitLimit.checkInterrupt();
    }
  }

  @Override
  public boolean tryLock() {
    CreatorScheduler.recordUse();
    return tryLockNow();
  }

  private boolean tryLockNow() {
    for (int s = state; (s & LOCKED) == 0; s = state) {
      if (casState(s, s | LOCKED)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    Objects.requireNonNull(unit, "unit");
    WaitLimit.checkInterrupt();
    if (tryLock()) {
      return true;
    }
    if (time > 0) {
      if (lockSlow(WaitLimit.of(time, unit))) {
        return true;
      }
      WaitLimit.checkInterrupt();
    }
    return false;
  }

  /** Throws {@link IllegalStateException} if it is not locked. */
  @Override
  public void unlock() {
    SchedulingPoint.reached();
    if (!casState(LOCKED, 0)) {
      unlockSlow();
    }
  }

  /** Go's {@code sync.Cond}, with this mutex. */
  @Override
  public Condition newCondition() {
    return newCondition("sync.Cond.Wait");
  }

  Condition newCondition(String reason) {
    return new MutexCondition(this, reason, maker);
  }

  @Override
  public String toString() {
    return isLocked() ? "Mutex[locked]" : "Mutex[unlocked]";
  }

  boolean isLocked() {
    return (state & LOCKED) != 0;
  }

  private boolean lockSlow(WaitLimit patience) {
    if (tryLockNow()) {
      return true;
    }
    StackHeadroom.ensure();
    Waiter waiter = Waiter.one();
    boolean woken = false;
    while (!lockOrQueue(waiter, woken)) {
      if (!waiter.await(patience)) {
        leave(waiter);
        return false;
      }
      if (waiter.item == YOURS) {
        return true;
      }
      woken = true;
    }
    return true;
  }

  /** True: it has it. One that was woken, and comes too late, is the first in the queue again. */
  private boolean lockOrQueue(Waiter waiter, boolean woken) {
    guard.lock();
    try {
      int clear = woken ? WOKEN : 0;
      for (int s = state; ; s = state) {
        if ((s & LOCKED) == 0) {
          if (casState(s, (s | LOCKED) & ~clear)) {
            return true;
          }
        } else if (casState(s, (s | WAITERS) & ~clear)) {
          queue(waiter, woken);
          return false;
        }
      }
    } finally {
      guard.unlock();
    }
  }

  private void queue(Waiter waiter, boolean first) {
    waiter.begin("sync.Mutex.Lock", maker);
    if (first) {
      queue.addFirst(waiter);
    } else {
      queue.add(waiter);
    }
  }

  private void leave(Waiter waiter) {
    guard.lock();
    try {
      queue.remove(waiter);
      for (int s = state; queue.isEmpty() && !casState(s, s & ~WAITERS); s = state) {}
    } finally {
      guard.unlock();
    }
  }

  private void unlockSlow() {
    StackHeadroom.ensure();
    Waiter next;
    guard.lock();
    try {
      next = unlockLocked();
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(next);
  }

  /** Under the guard. Returns who is to be woken. */
  private @Nullable Waiter unlockLocked() {
    if (!isLocked()) {
      throw new IllegalStateException("unlock of an unlocked mutex");
    }
    boolean woken = (state & WOKEN) != 0;
    Waiter next = woken ? null : fireFirst();
    int clear = queue.isEmpty() ? WAITERS : 0;
    int set = 0;
    if (next == null) {
      clear |= LOCKED;
    } else if (next.item != YOURS) {
      clear |= LOCKED;
      set = WOKEN;
    }
    for (int s = state; !casState(s, (s & ~clear) | set); s = state) {}
    return next;
  }

  private @Nullable Waiter fireFirst() {
    for (Waiter first = (Waiter) queue.removeFirst();
        first != null;
        first = (Waiter) queue.removeFirst()) {
      first.item = SchedClock.nanoTime() - first.since > STARVING_NANOS ? YOURS : null;
      if (first.fire()) {
        return first;
      }
    }
    return null;
  }

  private boolean casState(int from, int to) {
    return STATE.compareAndSet(this, from, to);
  }
}
