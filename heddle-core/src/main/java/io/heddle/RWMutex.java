package io.heddle;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.wait.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock for many readers or one writer that behaves like Go's {@code sync.RWMutex}.
 *
 * {@snippet :
 * RWMutex mutex = new RWMutex();
 * // ...
 * mutex.readLock().lock();
 * try {
 *   return prices.get(item);
 * } finally {
 *   mutex.readLock().unlock();
 * }
 * }
 *
 * <p>It is <b>not reentrant</b> and <b>not owned</b>: any thread may unlock what another thread
 * locked. A thread cannot turn a read lock into a write lock or the reverse: it would wait for
 * itself.
 *
 * <p>Order: a waiting writer stops new readers. When a writer unlocks, all readers that came
 * meanwhile get the lock before the next writer. So neither readers nor writers wait forever.
 *
 * <p>Therefore a thread that holds the read lock must not lock for reading again. If a writer has
 * come in between, the second read lock waits for that writer, and the writer waits for the first.
 *
 * <p>Goroutines and all other threads can use an RWMutex. Both locks treat interrupts as
 * {@link Mutex} does. Neither lock has conditions: {@code newCondition()} throws
 * {@link UnsupportedOperationException}. The unlock of a lock that is not locked throws
 * {@link IllegalStateException}.
 *
 * <p>Memory consistency: actions before the unlock of the write lock <i>happen-before</i> actions
 * after every later successful lock of either lock. Actions before the unlock of a read lock
 * <i>happen-before</i> actions after every later successful lock of the write lock.
 */
public final class RWMutex implements ReadWriteLock {
  /*
   * States, in one word:
   *   the low bits  the number of threads that hold the read lock
   *   WRITER        a thread holds the write lock
   *   SLOW          the word may only be changed under the guard, the spin lock of the queues
   *
   * Invariants: SLOW is set while a thread waits. It is also set from freeze to thaw, while the
   * thread that holds the guard computes a new state. Under the guard: a reader waits only if a
   * thread holds the write lock or a writer waits; a writer waits only if the mutex is locked.
   *
   * Ordering: all changes of the word are volatile.
   *
   * Differences from Go: in Go, writers that wait for each other compete for a sync.Mutex with
   * writers that arrive. Here an unlock hands the mutex over to a waiting thread, if there is one.
   * So no arriving thread can overtake that thread.
   *
   * Checked by: RWMutexTest.
   */
  private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", int.class);

  private static final int WRITER = 1 << 30;
  private static final int SLOW = 1 << 31;

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue readers = new WaitQueue();
  private final WaitQueue writers = new WaitQueue();
  private final Lock readLock = new ReadLock();
  private final Lock writeLock = new WriteLock();
  private volatile int state;

  /**
   * The scheduler of the goroutine that made this mutex; null if no goroutine made it. The
   * deadlock detector needs it to know whether a thread that is no goroutine of that scheduler
   * could end a wait for the mutex: see {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** Makes an unlocked mutex. */
  public RWMutex() {}

  /**
   * Returns the lock for readers, which any number of threads can hold while the write lock is
   * free.
   *
   * @return the same lock each time
   */
  @Override
  public Lock readLock() {
    return readLock;
  }

  /**
   * Returns the lock for writers, which a thread can acquire while no thread, itself included,
   * holds either lock.
   *
   * @return the same lock each time
   */
  @Override
  public Lock writeLock() {
    return writeLock;
  }

  @Override
  public String toString() {
    int s = state & ~SLOW;
    return s == 0
        ? "RWMutex[unlocked]"
        : s == WRITER ? "RWMutex[writer]" : "RWMutex[readers " + s + "]";
  }

  /** The common code of the read lock and the write lock. */
  private abstract class View implements Lock {
    /**
     * Locks without the guard, if that is possible now; returns whether the caller got the lock.
     * False does not mean that the lock is held: while SLOW is set, a thread can lock only under
     * the guard.
     */
    abstract boolean takeFast();

    /**
     * Returns the word that follows {@code s} if the caller locks, or {@code s} itself if the
     * caller would have to wait. Changes nothing. Called under the guard, because the result
     * depends on the queues.
     */
    abstract int take(int s);

    abstract WaitQueue queue();

    abstract String reason();

    @Override
    public final void lock() {
      CreatorScheduler.recordUse();
      if (!takeFast()) {
        lockSlow(WaitLimit.UNINTERRUPTIBLE);
      }
    }

    @Override
    public final void lockInterruptibly() throws InterruptedException {
      WaitLimit.checkInterrupt();
      CreatorScheduler.recordUse();
      if (!takeFast() && !lockSlow(WaitLimit.INTERRUPTIBLE)) {
        WaitLimit.checkInterrupt();
      }
    }

    @Override
    public final boolean tryLock() {
      CreatorScheduler.recordUse();
      return takeFast() || takeOrQueue(null);
    }

    @Override
    public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
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

    @Override
    public final Condition newCondition() {
      throw new UnsupportedOperationException("an RWMutex has no conditions: a Mutex has");
    }

    /**
     * Locks, and waits for the lock as long as {@code patience} allows. Returns whether the caller
     * got the lock.
     */
    private boolean lockSlow(WaitLimit patience) {
      Waiter waiter = Waiter.one();
      waiter.begin(reason(), maker);
      if (takeOrQueue(waiter)) {
        return true;
      }
      if (!waiter.await(patience)) {
        leave(waiter, queue());
        return false;
      }
      return true;
    }

    /**
     * Locks under the guard if that is possible now; otherwise queues {@code waiter}, unless it is
     * null. Returns whether the caller got the lock.
     */
    private boolean takeOrQueue(@Nullable Waiter waiter) {
      StackHeadroom.ensure();
      guard.lock();
      try {
        int s = freeze();
        int with = take(s);
        if (with == s && waiter != null) {
          queue().add(waiter);
        }
        thaw(with);
        return with != s;
      } finally {
        guard.unlock();
      }
    }
  }

  private final class ReadLock extends View {
    @Override
    boolean takeFast() {
      for (int s = state; (s & (WRITER | SLOW)) == 0; s = state) {
        if (casState(s, s + 1)) {
          return true;
        }
      }
      return false;
    }

    @Override
    int take(int s) {
      return s == WRITER || !writers.isEmpty() ? s : s + 1;
    }

    @Override
    WaitQueue queue() {
      return readers;
    }

    @Override
    String reason() {
      return "sync.RWMutex.RLock";
    }

    @Override
    public void unlock() {
      SchedulingPoint.reached();
      for (int s = state; (s & (WRITER | SLOW)) == 0 && s > 0; s = state) {
        if (casState(s, s - 1)) {
          return;
        }
      }
      unlockSlow(false);
    }

    @Override
    public String toString() {
      return "the read lock of " + RWMutex.this;
    }
  }

  private final class WriteLock extends View {
    @Override
    boolean takeFast() {
      return casState(0, WRITER);
    }

    @Override
    int take(int s) {
      return s == 0 ? WRITER : s;
    }

    @Override
    WaitQueue queue() {
      return writers;
    }

    @Override
    String reason() {
      return "sync.RWMutex.Lock";
    }

    @Override
    public void unlock() {
      SchedulingPoint.reached();
      if (!casState(WRITER, 0)) {
        unlockSlow(true);
      }
    }

    @Override
    public String toString() {
      return "the write lock of " + RWMutex.this;
    }
  }

  /**
   * Unlocks under the guard: the write lock if {@code writer} is true, else a read lock. If the
   * mutex is free then, hands it over to waiting threads. Throws if that lock is not locked.
   */
  private void unlockSlow(boolean writer) {
    StackHeadroom.ensure();
    Waiter granted = null;
    boolean locked;
    guard.lock();
    try {
      int s = freeze();
      locked = writer ? s == WRITER : s > 0 && s != WRITER;
      if (!locked) {
        thaw(s);
      } else if (!writer && s > 1) {
        thaw(s - 1);
      } else {
        granted = handOver(writer);
      }
    } finally {
      guard.unlock();
    }
    if (!locked) {
      throw new IllegalStateException(
          "unlock of an RWMutex that is not locked for " + (writer ? "writing" : "reading"));
    }
    Waiter.wakeAll(granted);
  }

  /**
   * Hands a free mutex over to waiting threads: to all readers or to the first writer. The side
   * that has the turn comes first: readers after a writer, writers after readers. Returns a chain
   * of the waiters to wake; null if no thread waits. The caller holds the guard and has called
   * freeze.
   */
  private @Nullable Waiter handOver(boolean toReadersFirst) {
    Waiter next = toReadersFirst ? Waiter.fireAll(readers) : null;
    if (next == null) {
      next = Waiter.fireFirst(writers);
      if (next != null) {
        thaw(WRITER);
        return next;
      }
      next = Waiter.fireAll(readers);
    }
    return grantReaders(0, next);
  }

  /**
   * Records that the readers in the chain {@code fired} hold the read lock now, in addition to
   * {@code others} threads that held it before. Returns the chain. An empty chain is null.
   */
  private @Nullable Waiter grantReaders(int others, @Nullable Waiter fired) {
    thaw(others + Waiter.count(fired));
    return fired;
  }

  /**
   * Removes {@code waiter} from {@code queue}, after a time limit or an interrupt ended its wait.
   * If it was the last waiting writer, the readers that waited for it get the lock.
   */
  private void leave(Waiter waiter, WaitQueue queue) {
    Waiter granted = null;
    guard.lock();
    try {
      int s = freeze();
      queue.remove(waiter);
      if (s != WRITER && writers.isEmpty()) {
        granted = grantReaders(s, Waiter.fireAll(readers));
      } else {
        thaw(s);
      }
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(granted);
  }

  /**
   * Sets SLOW, so that no other thread changes the word until {@link #thaw}. Returns the word
   * without SLOW. The caller holds the guard.
   */
  private int freeze() {
    for (int s = state; ; s = state) {
      if (casState(s, s | SLOW)) {
        return s & ~SLOW;
      }
    }
  }

  /** Stores {@code s} as the new word, and keeps SLOW set if a thread waits. */
  private void thaw(int s) {
    state = readers.isEmpty() && writers.isEmpty() ? s : s | SLOW;
  }

  private boolean casState(int from, int to) {
    return STATE.compareAndSet(this, from, to);
  }
}
