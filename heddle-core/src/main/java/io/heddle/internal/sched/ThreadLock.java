package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Ties an M to one goroutine: the M runs no other, and the goroutine runs nowhere else (rule G7).
 *
 * @param <T> the type of the goroutine
 */
final class ThreadLock<T> {
  /*
   * The lock is stored in two places. This object, in the M, is authoritative; it says which
   * goroutine and how often. G.locked is a copy of "some M holds a lock to this goroutine": an M
   * that takes a goroutine from a queue reads it, and only if it is set searches the Ms for the
   * holder (MPool.lockedTo). A reference from the G to its M would save the search, but enlarge
   * every G.
   *
   * The fields are plain. The locked goroutine writes them on its M. Another thread reads the
   * holder to find the M only after it has taken the goroutine from a queue, which orders the read
   * after the write.
   *
   * Checked by: LockThreadTest.
   */
  private @Nullable T holder;
  private int depth;

  /** Locks the M to the goroutine once more; true if the M was not locked before. */
  boolean lock(T goroutine) {
    if (depth++ > 0) {
      return false;
    }
    holder = goroutine;
    return true;
  }

  /**
   * Undoes one {@link #lock}; false if there is none to undo. After the last one, {@link #holder}
   * is null.
   */
  boolean unlock() {
    if (depth == 0) {
      return false;
    }
    if (--depth == 0) {
      holder = null;
    }
    return true;
  }

  /** Undoes all locks, because the holder has ended. */
  void release() {
    depth = 0;
    holder = null;
  }

  @Nullable T holder() {
    return holder;
  }
}
