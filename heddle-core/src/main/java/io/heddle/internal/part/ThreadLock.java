package io.heddle.internal.part;

import org.jspecify.annotations.Nullable;

/**
 * Ties an M to one goroutine: the M runs no other, and the goroutine runs nowhere else (rule G7).
 *
 * @param <T> the type of the goroutine
 */
public final class ThreadLock<T> {
  /*
   * The lock is stored in two places. This object, in the M, is authoritative: it tells which
   * goroutine the M is locked to, and how often the goroutine has locked. G.locked only tells that
   * the goroutine is locked to some M. An M that takes a goroutine from a queue reads G.locked. If
   * it is set, the M searches all Ms for the M that is locked to the goroutine (MPool.lockedTo).
   * A reference from the G to its M would save the search, but enlarge every G.
   *
   * The fields are plain. The locked goroutine writes them on its M. Another thread that must find
   * the M reads holder, but only after it has taken the goroutine from a queue. The queue orders
   * that read after the write.
   *
   * Checked by: LockThreadTest.
   */
  private @Nullable T holder;
  private int depth;

  /** Locks the M to the goroutine once more; true if the M was not locked before. */
  public boolean lock(T goroutine) {
    if (depth++ > 0) {
      return false;
    }
    holder = goroutine;
    return true;
  }

  /**
   * Undoes one {@link #lock}; returns false if there is none to undo. After the last lock is
   * undone, {@link #holder} is null.
   */
  public boolean unlock() {
    if (depth == 0) {
      return false;
    }
    if (--depth == 0) {
      holder = null;
    }
    return true;
  }

  /** Undoes all locks, because the holder has ended. */
  public void release() {
    depth = 0;
    holder = null;
  }

  /** Returns the goroutine that the M is locked to; null if the M is not locked. */
  public @Nullable T holder() {
    return holder;
  }
}
