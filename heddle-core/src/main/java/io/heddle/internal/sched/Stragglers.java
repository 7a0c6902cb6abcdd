package io.heddle.internal.sched;

import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.part.YieldFlag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Knows the stragglers, the goroutines that compute without a P, and decides when they are asked to
 * yield (rule S6). Only woven code can be asked, because the agent has added checks to it. Used by
 * the monitor ({@link Sysmon}) alone.
 */
final class Stragglers {
  /*
   * A goroutine computes without a P after one of these:
   *   The monitor retook its P by force.
   *   It gave the P up for a call that is marked as blocking, found no idle P after the call, and
   *     could not wait for one, because it was pinned.
   *   Its P was removed, because there are fewer now.
   * The first kind is passed to add. The others are found when the monitor looks at the Ms (find).
   * What the monitor reads there may be out of date. So a goroutine may be asked too soon, or only
   * at the next look.
   *
   * A straggler alternates between two states:
   *   asked    The yield flag is up, so the straggler yields when it reaches its next check. This
   *            ends after its grace, after a failed yield, or after a limit of elapsed time. The
   *            grace is an amount of CPU time, because the thread may have been off the CPU when it
   *            lost its P.
   *   resting  It did not yield while asked. It is not asked until it has computed for REST times
   *            its grace. Then it is asked for twice as long, because it may have been far from its
   *            next check.
   * A straggler that cannot yield, or that was added by the method find, begins with a rest.
   *
   * Checked by: PreemptTest.
   */

  /**
   * A straggler that was asked in vain rests for this many times as long as it was asked, because
   * asking slows down all woven code.
   */
  private static final int REST = 10;

  /** A goroutine that computes without a P, and its state: asked to yield, or resting. */
  private static final class Straggler {
    private final M m;
    private final int tick; // identifies the slice in which the goroutine lost its P
    private long grace; // how long it is asked, in nanoseconds of CPU time

    // Written at each change between asked and resting: the CPU time of the M at the change, the
    // time of the change, and whether the straggler rests since then.
    private long cpuTime;
    private long since;
    private boolean rests;

    /** The time before which the rest of this straggler cannot be over, so no look is needed. */
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

    /**
     * Whether the goroutine still computes without a P: its M is still in the slice in which it
     * lost the P, outside of marked calls.
     */
    boolean isStill() {
      return m.slice.tick() == tick && m.runsWithoutP();
    }

    /**
     * Moves the straggler from asked to resting, or back, if its time in the present state is over.
     * Returns whether it is now asked to yield.
     *
     * @param limit how long a straggler that gets no CPU is asked, in nanoseconds by the clock
     */
    boolean advance(long now, long limit) {
      if (rests ? now - nextLook >= 0 && hasRested(now) : isOver(now, limit)) {
        if (rests) {
          grace *= 2;
          m.slice.askAgain();
        }
        rests = !rests;
        cpuTime = CpuTime.of(m);
        since = now;
        nextLook = now + REST * grace;
      }
      return !rests;
    }

    /** Whether the straggler, which is asked to yield, must rest now. */
    private boolean isOver(long now, long limit) {
      return m.slice.didYieldFail()
          || now - since >= Math.max(limit, 2 * grace)
          || CpuTime.of(m) - cpuTime >= grace;
    }

    /** Whether the straggler, which rests, must be asked again now. If not, sets nextLook. */
    private boolean hasRested(long now) {
      long left = REST * grace - computedFor(now);
      nextLook = now + left;
      return left <= 0;
    }

    /**
     * Returns for how long the goroutine has computed since the last change between asked and
     * resting. If the CPU time of its M is not known, returns the time since then, or 0 if the
     * thread is blocked just now.
     */
    private long computedFor(long now) {
      if (cpuTime >= 0) {
        return CpuTime.of(m) - cpuTime;
      }
      return Sysmon.isWaiting(m) ? 0 : now - since;
    }
  }

  private final List<Straggler> all = new ArrayList<>();

  /**
   * Adds the goroutine on {@code m}, whose P was retaken by force.
   *
   * @param tick the slice of {@code m} in which that happened
   * @param isPinned whether the goroutine is blocked and cannot unmount
   */
  void add(M m, int tick, long now, long grace, boolean isPinned) {
    if (YieldFlag.isPossible()) {
      all.add(new Straggler(m, tick, now, grace, isPinned || m.slice.didYieldFail()));
    }
  }

  /** Adds the goroutines that compute without a P on one of {@code ms} and were not added yet. */
  void find(Collection<M> ms, long now, long grace) {
    if (!YieldFlag.isPossible()) {
      return;
    }
    for (M m : ms) {
      int tick = m.slice.tick();
      if (m.runsWithoutP()
          && !Sysmon.isWaiting(m)
          && all.stream().noneMatch(s -> s.m == m && s.tick == tick)) {
        all.add(new Straggler(m, tick, now, grace, true));
      }
    }
  }

  /**
   * Removes the goroutines that are no longer stragglers, and moves the others between asked and
   * resting if it is time for that. Returns whether at least one straggler is asked now.
   *
   * @param limit how long a straggler that gets no CPU is asked, in nanoseconds by the clock
   */
  boolean advance(long now, long limit) {
    all.removeIf(straggler -> !straggler.isStill());
    boolean asks = false;
    for (Straggler straggler : all) {
      asks |= straggler.advance(now, limit);
    }
    return asks;
  }
}
