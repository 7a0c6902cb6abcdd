package io.heddle;

import io.heddle.internal.inspect.ForeignThreads;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import org.jspecify.annotations.Nullable;

/**
 * Tells which scheduler's goroutine makes or uses an object. The deadlock detector needs this: only
 * an object that a goroutine made can be unknown to all other threads, so only a wait for such an
 * object can be certain never to end.
 */
final class CreatorScheduler {
  private CreatorScheduler() {}

  /** The scheduler of the calling goroutine; null if the caller is any other thread. */
  static @Nullable Sched currentScheduler() {
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    return g == null ? null : g.sched();
  }

  /** Whether {@code maker} is the scheduler of the calling goroutine. */
  static boolean isInside(@Nullable Sched maker) {
    return maker != null && maker == currentScheduler();
  }

  /**
   * Called by each operation that any thread may call and that may end a goroutine's wait, now or
   * later. Records the use by a thread that is not a goroutine. Also a scheduling point of a
   * bubble.
   */
  static void recordUse() {
    if (VirtualThreads.isOpen()) {
      ForeignThreads.note();
    }
    SchedulingPoint.reached();
  }
}
