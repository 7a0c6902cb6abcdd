package io.heddle.internal.sched;

import io.heddle.internal.base.StackRoom;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.YieldPoint;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Goroutines that look, in woven code, whether they are to make way (rule S6); and how the monitor has them look. */
public final class Preempt {
  /*
   * While any scheduler's flag is up, all woven code in the JVM asks here, on whichever thread, and only who runs on an M
   * whose slice is over yields. So the flag is up for short: from when somebody waits for the P of a goroutine that has
   * had its slice, until that has yielded, or has lost the P by force and used some more CPU time: its thread may just have
   * been off the CPU, and would go on without a P although it has checks. It may still have been off the CPU when that was
   * over, or far from its next check: so it is asked again now and then, longer each time, for a small part of the time.
   *
   * One that cannot yield, with a native frame or a class initialiser on its stack, or at the end of it, says so to its
   * M: the monitor need not wait for it, and it is asked again no sooner than one that was pinned and has gone on.
   */

  /** For how many times as long a straggler is left alone as it was asked. */
  private static final int REST = 10;

  /** One that lost its P by force: asked for a while, and again, for twice as long, when it has computed for some more. */
  private static final class Straggler {
    private final M m;
    private final int tick;
    private long grace;

    // Since it has been asked, or left alone.
    private long cpuTime;
    private long since;
    private boolean rests;

    Straggler(M m, long now, long grace, boolean rests) {
      this.m = m;
      this.tick = m.tick();
      this.grace = grace;
      this.cpuTime = CpuTime.of(m);
      this.since = now;
      this.rests = rests;
    }

    /** In the same stretch as when it lost its P. */
    boolean isStill() {
      return m.tick() == tick && m.current() != null;
    }

    boolean isAsked(long now, long limit) {
      if (rests && Sysmon.isPinned(m)) {
        return false;
      }
      long used = CpuTime.of(m) - cpuTime;
      if (rests ? used >= REST * grace : used >= grace || now - since >= limit || m.hasRefused()) {
        if (rests) {
          grace *= 2;
          m.askAgain();
        }
        rests = !rests;
        cpuTime += used;
        since = now;
      }
      return !rests;
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
  void forced(M m, long now, long grace, boolean isPinned) {
    if (isPossible()) {
      stragglers.add(new Straggler(m, now, grace, isPinned || m.hasRefused()));
    }
  }

  /** For the monitor: whether one that was forced may come by a check just now. */
  boolean asksStragglers(long now, long limit) {
    boolean asks = false;
    for (Iterator<Straggler> each = stragglers.iterator(); each.hasNext(); ) {
      Straggler straggler = each.next();
      if (straggler.isStill()) {
        asks |= straggler.isAsked(now, limit);
      } else {
        each.remove();
      }
    }
    return asks;
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
