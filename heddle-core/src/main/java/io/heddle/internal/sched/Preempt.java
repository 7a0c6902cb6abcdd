package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.YieldPoint;
import java.util.ArrayList;
import java.util.Collection;
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
   *
   * A goroutine may also lose its P without force: it gave it up for a call, found none behind it, and could not wait in
   * line (it was pinned); or there are fewer Ps now. Or it lost it before anything was woven. So the monitor, when it is
   * awake, looks at the Ms, too. What it reads there is not meant for it, and may be out of date: somebody may be asked too
   * soon, or at the next look.
   */

  /** For how many times as long a straggler is left alone as it was asked. */
  private static final int REST = 10;

  /** One that goes on without a P: asked for a while, and again, for twice as long, when it has computed for some more. */
  private static final class Straggler {
    private final M m;
    private final int tick;
    private long grace;

    // Since it has been asked, or left alone.
    private long cpuTime;
    private long since;
    private boolean rests;

    /** It cannot have rested enough before. */
    private long nextLook;

    Straggler(M m, int tick, long now, long grace, boolean rests) {
      this.m = m;
      this.tick = tick;
      this.grace = grace;
      this.cpuTime = CpuTime.of(m);
      this.since = now;
      this.rests = rests;
      this.nextLook = now + REST * grace;
    }

    /** In the same stretch as when it lost its P, and not in a call that is known to block. */
    boolean isStill() {
      return m.tick() == tick && m.runsWithoutP();
    }

    boolean isAsked(long now, long limit) {
      if (rests ? now - nextLook >= 0 && hasRested(now) : isOver(now, limit)) {
        if (rests) {
          grace *= 2;
          m.requestYield();
        }
        rests = !rests;
        cpuTime = CpuTime.of(m);
        since = now;
        nextLook = now + REST * grace;
      }
      return !rests;
    }

    private boolean isOver(long now, long limit) {
      return m.didYieldFail()
          || now - since >= Math.max(limit, 2 * grace)
          || CpuTime.of(m) - cpuTime >= grace;
    }

    private boolean hasRested(long now) {
      long left = REST * grace - computedFor(now);
      nextLook = now + left;
      return left <= 0;
    }

    /** Where CPU time is not known, all the time counts, if it does not wait just now. */
    private long computedFor(long now) {
      if (cpuTime >= 0) {
        return CpuTime.of(m) - cpuTime;
      }
      return Sysmon.isWaiting(m) ? 0 : now - since;
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
      M m = M.ofCaller();
      Driver driver = m == null ? null : m.sched.driver;
      if (driver != null) {
        driver.yieldPoint();
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
      StackHeadroom.ensure();
      Thread.yield();
    } finally {
      // Whoever has been in the scheduler has a new slice, and may have been asked again by now.
      if (M.ofCaller() == m && m.tick() == tick) {
        m.yieldFailed();
      }
    }
  }

  /** For the monitor: whether asking makes sense. */
  static boolean isPossible() {
    return YieldPoint.isOpen();
  }

  /** For the monitor: the goroutine on {@code m} has lost its P by force. */
  void addStraggler(M m, int tick, long now, long grace, boolean isPinned) {
    if (isPossible()) {
      stragglers.add(new Straggler(m, tick, now, grace, isPinned || m.didYieldFail()));
    }
  }

  /** For the monitor: looks for those that compute without a P. */
  void findStragglers(Collection<M> ms, long now, long grace) {
    if (!isPossible()) {
      return;
    }
    for (M m : ms) {
      int tick = m.tick();
      if (m.runsWithoutP()
          && !Sysmon.isWaiting(m)
          && stragglers.stream().noneMatch(s -> s.m == m && s.tick == tick)) {
        stragglers.add(new Straggler(m, tick, now, grace, true));
      }
    }
  }

  /** For the monitor: whether one without a P may come by a check just now. */
  boolean asksStragglers(long now, long limit) {
    stragglers.removeIf(straggler -> !straggler.isStill());
    boolean asks = false;
    for (Straggler straggler : stragglers) {
      asks |= straggler.isAsked(now, limit);
    }
    return asks;
  }

  /** For the monitor: whether woven code is to ask. */
  void setYieldFlag(boolean wanted) {
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
