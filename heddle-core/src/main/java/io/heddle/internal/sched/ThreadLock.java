package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/** Ties an M to one goroutine: the M runs no other, and the goroutine runs nowhere else (rule G7). */
final class ThreadLock<T> {
  // Written by the locked goroutine, on its M. Other threads read the holder only to find its M,
  // once
  // the goroutine is queued.
  private @Nullable T holder;
  private int depth;

  /** Locks once more; true if it was not locked before. */
  boolean lock(T goroutine) {
    if (depth++ > 0) {
      return false;
    }
    holder = goroutine;
    return true;
  }

  /** Takes one {@link #lock} back; false if there is none. {@link #holder} tells whether it is still locked. */
  boolean unlock() {
    if (depth == 0) {
      return false;
    }
    if (--depth == 0) {
      holder = null;
    }
    return true;
  }

  /** Unlocks, because the holder has ended. */
  void release() {
    depth = 0;
    holder = null;
  }

  @Nullable T holder() {
    return holder;
  }
}
