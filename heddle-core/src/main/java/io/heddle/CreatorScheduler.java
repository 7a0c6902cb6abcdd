package io.heddle;

import io.heddle.internal.inspect.ForeignThreads;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import org.jspecify.annotations.Nullable;

/**
 * Determines the scheduler of the goroutine that makes or uses an object, such as a channel or a
 * lock.
 *
 * <p>The deadlock detector needs this. The detector must not report a wait that an external thread
 * (a thread that is no goroutine of the scheduler) could end. An external thread that made an
 * object could use it at any time, and so end a wait for that object. Therefore the detector counts
 * a wait as hopeless only if a goroutine of the waiter's own scheduler made the object. Such an
 * object may have been passed to an external thread. So the detector also checks that there is no
 * external thread: see {@link ForeignThreads}.
 */
final class CreatorScheduler {
  private CreatorScheduler() {}

  /** The scheduler of the calling goroutine; null if the caller is any other thread. */
  static @Nullable Sched currentScheduler() {
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    return g == null ? null : g.sched();
  }

  /**
   * Whether {@code maker} is the scheduler of the calling goroutine; false if {@code maker} is
   * null.
   */
  static boolean isInside(@Nullable Sched maker) {
    return maker != null && maker == currentScheduler();
  }

  /**
   * Called by each operation that any thread may call and that may end a goroutine's wait, now or
   * later. If the caller is a virtual thread that is not a goroutine, records that such a thread
   * has used the library: the deadlock detector must know, because it cannot list these threads. In
   * a bubble (a test's closed world) another goroutine may run here.
   */
  static void recordUse() {
    if (VirtualThreads.isOpen()) {
      ForeignThreads.note();
    }
    SchedulingPoint.reached();
  }
}
