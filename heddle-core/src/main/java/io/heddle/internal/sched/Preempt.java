package io.heddle.internal.sched;

import io.heddle.internal.base.StackRoom;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.YieldPoint;
import java.util.ArrayList;
import java.util.List;

/** Goroutines that look, in woven code, whether they are to make way (rule S6); and how the monitor has them look. */
public final class Preempt {
  /*
   * While any scheduler's flag is up, all woven code in the JVM asks here, on whichever thread, and only who runs on an M
   * whose slice is over yields. So the flag is up for short: from when somebody waits for the P of a goroutine that has
   * had its slice, until that has yielded, or has lost the P by force and used some more CPU time: its thread may just have
   * been off the CPU, and would go on without a P although it has checks.
   *
   * One that cannot yield, with a native frame or a class initialiser on its stack, or at the end of it, says so to its
   * M: it is not asked again in this slice, and the monitor need not wait for it.
   */

  private record Straggler(M m, int tick, long cpuTime, long since) {
    /** In the same stretch as when it lost its P. */
    boolean isStill(long now, long cpuLimit, long limit) {
      return m.tick() == tick
          && m.current() != null
          && !m.hasRefused()
          && now - since < limit
          && CpuTime.of(m) - cpuTime < cpuLimit;
    }
  }

  // Its monitor's.
  private final List<Straggler> stragglers = new ArrayList<>();
  private boolean isUp;

  /** Called by woven code, anywhere; never throws. */
  public static void yieldIfAsked() {
    if (!Thread.currentThread().isVirtual()) {
      return;
    }
    try {
      M m = M.underCaller();
      if (m != null && m.sched.crank != null) {
        Crank.point();
      } else if (m != null && m.isAskedToYield()) {
        yieldFrom(m);
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      // Not now, then. The monitor takes the P by force.
    }
  }

  private static void yieldFrom(M m) {
    int tick = m.tick();
    try {
      StackRoom.ensure();
      Thread.yield();
    } finally {
      // Whoever has been in the scheduler has a new slice, and may have been asked again by now.
      if (M.underCaller() == m && m.tick() == tick) {
        m.refuse();
      }
    }
  }

  /** For the monitor: whether asking makes sense. */
  static boolean isPossible() {
    return YieldPoint.isOpen();
  }

  /** For the monitor: the goroutine on {@code m} has lost its P by force. */
  void forced(M m, long now) {
    if (isPossible() && !m.hasRefused()) {
      stragglers.add(new Straggler(m, m.tick(), CpuTime.of(m), now));
    }
  }

  /** For the monitor: whether one that was forced may still come by a check. */
  boolean hasStragglers(long now, long cpuLimit, long limit) {
    stragglers.removeIf(straggler -> !straggler.isStill(now, cpuLimit, limit));
    return !stragglers.isEmpty();
  }

  /** For the monitor: whether woven code is to ask. */
  void up(boolean wanted) {
    if (wanted == isUp) {
      return;
    }
    if (wanted) {
      isUp = YieldPoint.raise();
    } else {
      isUp = false;
      YieldPoint.lower();
    }
  }
}
