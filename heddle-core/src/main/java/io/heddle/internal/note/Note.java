package io.heddle.internal.note;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A one-shot event for one sleeping platform thread (rules N1, N2).
 *
 * <p>{@link #clear} arms it, then one thread may sleep on it and one thread may wake it up, once, in either order: a
 * wakeup that comes before the sleep makes the sleep return at once. Using it again takes another {@code clear}, after
 * the sleep has returned. Two wakeups without a clear, or two sleepers, are errors.
 */
public final class Note {
  /*
   * States of key:
   *   null      clear: no sleeper, no wakeup yet
   *   a Thread  that thread sleeps, or is about to
   *   SIGNALED  woken up
   *
   * Moves, each one atomic step:
   *   null   -> Thread    sleep registers
   *   null   -> SIGNALED  wakeup found nobody; a later sleep returns at once
   *   Thread -> SIGNALED  wakeup found the sleeper and unparks it
   *   Thread -> null      a timed sleep gives up; a later wakeup finds nobody
   *   any    -> null      clear
   * The last two moves out of Thread compete in one compare-and-set: that decides N2.
   *
   * Ordering: what the waker wrote before wakeup() is seen after sleep() returned: the exchange in wakeup pairs with
   * the volatile read of key in the sleeper's loop.
   *
   * Differences from Go: a goroutine never sleeps here (notetsleepg gives up its P first, rule N3). The permit of the
   * thread may have been used or left by a goroutine pinned on it, so every park is in a loop that looks at key again.
   * An interrupt of an M means nothing; it is cleared, or park would no longer block.
   *
   * Checked by: NoteTest, NoteStress (jcstress, with broken twins).
   */
  private static final VarHandle KEY = Handles.field(MethodHandles.lookup(), "key", Object.class);

  private static final Object SIGNALED = new Object();

  private volatile @Nullable Object key;

  /** Arms the note. Only when nobody sleeps on it and no wakeup can still come. */
  public void clear() {
    key = null;
  }

  /** Sleeps until woken up; returns at once if that has happened already. */
  public void sleep() {
    if (!register()) {
      return;
    }
    while (key != SIGNALED) {
      LockSupport.park(this);
      clearInterrupt();
    }
  }

  /**
   * Sleeps until woken up, for {@code nanos} at most.
   *
   * @return true if woken up; false if the time ran out, and then a wakeup that comes later finds nobody
   */
  public boolean sleep(long nanos) {
    if (!register()) {
      return true;
    }
    long deadline = System.nanoTime() + nanos;
    while (key != SIGNALED) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return !KEY.compareAndSet(this, Thread.currentThread(), null);
      }
      LockSupport.parkNanos(this, left);
      clearInterrupt();
    }
    return true;
  }

  /** Wakes the sleeper, now or as soon as it comes. */
  public void wakeup() {
    Object before = KEY.getAndSet(this, SIGNALED);
    if (before == SIGNALED) {
      throw new IllegalStateException("note: a second wakeup without a clear in between");
    }
    if (before instanceof Thread sleeper) {
      LockSupport.unpark(sleeper);
    }
  }

  /** Whether a thread sleeps on it, or is about to. A guess by the time it is used, unless nothing moves. */
  public boolean hasSleeper() {
    return key instanceof Thread;
  }

  /** True if the caller is now the sleeper, false if the wakeup has come already. */
  private boolean register() {
    Object before = KEY.compareAndExchange(this, null, Thread.currentThread());
    if (before != null && before != SIGNALED) {
      throw new IllegalStateException(
          "note: a second sleeper, " + Thread.currentThread() + " beside " + before);
    }
    return before == null;
  }

  private static void clearInterrupt() {
    boolean _ = Thread.interrupted();
  }
}
