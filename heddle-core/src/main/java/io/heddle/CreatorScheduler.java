package io.heddle;

import io.heddle.internal.inspect.ForeignThreads;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import org.jspecify.annotations.Nullable;

/**
 * Where something was made that goroutines wait for. Only what a goroutine has made can be unknown to everybody outside,
 * and a wait for it be certain never to end: see the deadlock detector.
 */
final class CreatorScheduler {
  private CreatorScheduler() {}

  /** The scheduler of the calling goroutine; null outside. */
  static @Nullable Sched currentScheduler() {
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    return g == null ? null : g.sched();
  }

  /** Whether {@code maker} is the scheduler of the calling goroutine. */
  static boolean isInside(@Nullable Sched maker) {
    return maker != null && maker == currentScheduler();
  }

  /** For what any thread may call, and may end a goroutine's wait with, now or later. */
  static void recordUse() {
    if (VirtualThreads.isOpen()) {
      ForeignThreads.note();
    }
    SchedulingPoint.reached();
  }
}
