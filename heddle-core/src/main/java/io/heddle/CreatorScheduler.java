package io.heddle;

import io.heddle.internal.inspect.ForeignThreads;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import org.jspecify.annotations.Nullable;

/**
 * Tells which scheduler's goroutine makes or uses an object.
 *
 * <p>The deadlock detector needs this, because it must not report a wait that an external thread
 * could end. An object that an external thread made is known to that thread, which may use it at
 * any time. So only a wait for an object that a goroutine of the same scheduler made can be certain
 * never to end.
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
   * later. If the caller is a virtual thread that is not a goroutine, records that such a thread
   * has used the library. In a bubble it is also a scheduling point: another goroutine may run.
   */
  static void recordUse() {
    if (VirtualThreads.isOpen()) {
      ForeignThreads.note();
    }
    SchedulingPoint.reached();
  }
}
