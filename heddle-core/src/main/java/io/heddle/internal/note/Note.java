package io.heddle.internal.note;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A one-shot event for one sleeping platform thread (rules N1, N2 of docs/internals/rules.md).
 *
 * <p>{@link #clear} arms the note. Then one thread may call {@code sleep} and one thread may call
 * {@link #wakeup}, once each, in either order: after an early wakeup the sleep returns at once.
 * After the sleep has returned, the note must be cleared before it is used again. A second wakeup
 * without a clear, or a second sleeper, is an error and throws {@link IllegalStateException}.
 */
public final class Note {
  /*
   * States of key:
   *   null      clear: no sleeper, no wakeup yet
   *   a Thread  that thread sleeps, or is about to
   *   SIGNALED  woken up
   *
   * Transitions, each one atomic step:
   *   null   -> Thread    sleep registers its thread
   *   null   -> SIGNALED  wakeup comes before the sleeper; the later sleep returns at once
   *   Thread -> SIGNALED  wakeup finds the sleeper and unparks it
   *   Thread -> null      a timed sleep ends; a later wakeup finds no sleeper
   *   any    -> null      clear
   * The two transitions out of Thread, by wakeup and by the timeout, are atomic updates of one
   * word, so exactly one of them takes place. Rule N2 demands that.
   *
   * Ordering: the exchange in wakeup pairs with the volatile read of key in the sleeper's loop. The
   * sleeper sees after sleep() what the waker wrote before wakeup().
   *
   * Differences from Go:
   *   A goroutine never sleeps here. In Go it can: notetsleepg gives up its P first (rule N3).
   *   A goroutine pinned on the thread may have consumed or left a park permit. Therefore each park
   *   is in a loop that reads key again.
   *   An interrupt of an M has no meaning. sleep clears it, because park would no longer block.
   *
   * Checked by: NoteTest, NoteStress (jcstress, also run on copies with a fault, which it must
   * find).
   */
  private static final VarHandle KEY = Handles.field(MethodHandles.lookup(), "key", Object.class);

  private static final Object SIGNALED = new Object();

  private volatile @Nullable Object key;

  /** Arms the note. Call it only while no thread sleeps on it and no earlier wakeup is pending. */
  public void clear() {
    key = null;
  }

  /** Sleeps until {@link #wakeup}. Returns at once if {@code wakeup} has been called already. */
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
   * Sleeps until {@link #wakeup}, but at most {@code nanos}.
   *
   * @return true after a wakeup; false after a timeout, in which case a later wakeup finds no
   *     sleeper
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

  /** Wakes the sleeper. If there is none yet, the next {@code sleep} returns at once. */
  public void wakeup() {
    Object before = KEY.getAndSet(this, SIGNALED);
    if (before == SIGNALED) {
      throw new IllegalStateException("note: a second wakeup without a clear in between");
    }
    if (before instanceof Thread sleeper) {
      LockSupport.unpark(sleeper);
    }
  }

  /**
   * Whether a thread sleeps on this note, or is about to. The answer may be out of date at once if
   * other threads use the note.
   */
  public boolean hasSleeper() {
    return key instanceof Thread;
  }

  /**
   * Registers the caller as the sleeper and returns true. Returns false if the wakeup has come
   * already; then the caller must not sleep. Throws IllegalStateException if another thread is
   * registered.
   */
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
