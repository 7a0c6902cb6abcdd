package io.heddle;

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
 * Go's reader/writer mutex: locked by any number of readers, or by one writer. Not reentrant, and not owned.
 *
 * <p>A writer that waits stops new readers; those that have come meanwhile go before the next writer. So a thread that
 * reads must not lock it for reading again.
 */
public final class RWMutex implements ReadWriteLock {
  /*
   * States, in one word: how many read; WRITER: somebody writes; SLOW: everything is to be done under the guard.
   *
   * Invariants: with SLOW set the word changes only under the guard. It is set while somebody waits, and while somebody
   * who has the guard reckons. Under the guard: a reader waits only if somebody writes or a writer waits; a writer waits
   * only if the mutex is locked.
   *
   * Ordering: all changes of the word are volatile.
   *
   * Differences from Go: what is unlocked is always handed over to those who wait for it, also among writers.
   *
   * Checked by: RWMutexTest.
   */
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RWMutex.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int WRITER = 1 << 30;
  private static final int SLOW = 1 << 31;

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue readers = new WaitQueue();
  private final WaitQueue writers = new WaitQueue();
  private final Lock readLock = new ReadLock();
  private final Lock writeLock = new WriteLock();
  private volatile int state;

  /** Of the goroutine that made it; null if it was made outside. */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** An unlocked one. */
  public RWMutex() {}

  @Override
  public Lock readLock() {
    return readLock;
  }

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

  private abstract class View implements Lock {
    /** False: it is not to be had now, or only under the guard. */
    abstract boolean takeFast();

    /** Under the guard: the state with it, or {@code s} itself if it is not to be had. */
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

  /** Of a mutex that is free now: those go on whose turn it is, the others if there are none. */
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

  /** Beside {@code others} that read. */
  private @Nullable Waiter grantReaders(int others, @Nullable Waiter fired) {
    thaw(others + Waiter.count(fired));
    return fired;
  }

  /** Readers wait no longer if the last writer does not. */
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

  /** Under the guard: nobody changes the word now. Returns it without SLOW. */
  private int freeze() {
    for (int s = state; ; s = state) {
      if (casState(s, s | SLOW)) {
        return s & ~SLOW;
      }
    }
  }

  private void thaw(int s) {
    state = readers.isEmpty() && writers.isEmpty() ? s : s | SLOW;
  }

  private boolean casState(int from, int to) {
    return STATE.compareAndSet(this, from, to);
  }
}
