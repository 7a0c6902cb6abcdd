package io.heddle;

import io.heddle.internal.base.Handles;
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
 * A mutual-exclusion lock that behaves like Go's {@code sync.Mutex}.
 *
 * {@snippet :
 * Mutex mutex = new Mutex();
 * // ...
 * mutex.lock();
 * try {
 *   balance += amount;
 * } finally {
 *   mutex.unlock();
 * }
 * }
 *
 * <p>Unlike {@link java.util.concurrent.locks.ReentrantLock} it is <b>not reentrant</b>: a thread
 * that locks it twice waits for itself. It is also <b>not owned</b>: any thread may unlock it, not
 * only the thread that locked it. So one goroutine can lock it and another can unlock it.
 *
 * <p>Order: a thread that arrives while the mutex is unlocked gets it, even if others are waiting.
 * If the first of the waiting threads has waited for more than a millisecond, the next unlock hands
 * the mutex over to it. So no thread waits forever.
 *
 * <p>Goroutines and all other threads can use a mutex. {@link #lock} ignores interrupts and leaves
 * the flag set. {@link #lockInterruptibly} and {@link #tryLock(long, TimeUnit)} throw
 * {@link InterruptedException} if the caller is interrupted before or while they wait.
 * {@link #unlock} of an unlocked mutex throws {@link IllegalStateException}.
 *
 * <p>Memory consistency: actions before an {@link #unlock} <i>happen-before</i> actions after every
 * later successful lock of the same mutex.
 */
public final class Mutex implements Lock {
  /*
   * States, bits of one word:
   *   LOCKED   a thread holds the mutex
   *   WAITERS  the queue is not empty
   *   WOKEN    a waiter was woken to try again and has not yet done so; unlock wakes no other
   *
   * Invariants: WAITERS and WOKEN change only under the guard, the spin lock of the queue. Any
   * thread that finds LOCKED clear may set it. LOCKED is cleared without the guard only by a
   * compare-and-set from LOCKED alone. That fails if a waiter has set WAITERS, so no unlock misses
   * a waiter.
   *
   * Differences from Go:
   * - The mutex has no starvation mode. Instead unlock checks how long the first waiter has waited.
   *   If that is too long, unlock hands the mutex over to that waiter: it leaves LOCKED set, so
   *   that arriving threads must queue.
   * - A thread that finds the mutex locked does not spin before it queues.
   *
   * Ordering: all changes of the word are volatile compare-and-sets.
   *
   * Checked by: MutexTest, MutexLincheckTest.
   */
  private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", int.class);

  private static final int LOCKED = 1;
  private static final int WAITERS = 2;
  private static final int WOKEN = 4;

  /** A waiter that has waited for longer than this gets the mutex from unlock; as in Go. */
  private static final long STARVING_NANOS = 1_000_000;

  /**
   * The item that unlock gives to a waiter to which it hands the mutex over. A waiter that is woken
   * without it must try to lock the mutex again.
   */
  private static final Object YOURS = new Object();

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private volatile int state;

  /**
   * The scheduler of the goroutine that made this mutex; null if no goroutine made it. The
   * deadlock detector needs it to know whether a thread that is no goroutine of that scheduler
   * could end a wait for the mutex: see {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** Makes an unlocked mutex. */
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

  /**
   * Locks the mutex if it is unlocked, even if other threads wait for it. Returns whether the
   * caller got it.
   */
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

  /**
   * Unlocks this mutex. The caller need not be the thread that locked it.
   *
   * @throws IllegalStateException if it is not locked
   */
  @Override
  public void unlock() {
    SchedulingPoint.reached();
    if (!casState(LOCKED, 0)) {
      unlockSlow();
    }
  }

  /**
   * Returns a new condition for this mutex: Go's {@code sync.Cond}.
   *
   * <p>Waiters are signalled in the order in which they came, and there are no spurious wake-ups.
   * The methods of the condition throw {@link IllegalMonitorStateException} if the mutex is not
   * locked. They do not check which thread has locked it, because a mutex has no owner. Actions
   * before a signal <i>happen-before</i> actions after the wait that the signal ends.
   *
   * @return a new condition
   */
  @Override
  public Condition newCondition() {
    return newCondition("sync.Cond.Wait");
  }

  /** Returns a new condition; {@code reason} is the wait reason that dumps show for its waiters. */
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

  /**
   * Locks the mutex, and waits for it as long as {@code patience} allows. Returns whether the
   * caller got it.
   */
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

  /**
   * Locks the mutex if it is unlocked, and otherwise queues {@code waiter}. Returns whether the
   * caller got the mutex. If unlock has woken the waiter ({@code woken}), this also clears WOKEN.
   * If another thread has locked the mutex meanwhile, the woken waiter goes back to the head of the
   * queue.
   */
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

  /**
   * Removes {@code waiter} from the queue, after a time limit or an interrupt ended its wait.
   * Clears WAITERS if the queue is empty then.
   */
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

  /**
   * Unlocks the mutex, or hands it over to the first waiter. Throws if the mutex is not locked. The
   * caller holds the guard. Returns the waiter to wake after the guard is released; null if there
   * is none.
   */
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

  /**
   * Ends the wait of the first waiter that still waits, takes it out of the queue and returns it;
   * null if there is none. The waiter's item is YOURS if unlock must hand the mutex over to it. The
   * caller holds the guard.
   */
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
