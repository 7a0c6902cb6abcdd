package io.heddle.internal.sched;

import io.heddle.internal.jdk.CpuTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The goroutines that compute without a P, and when woven code must ask whether they must yield
 * (rule S6). Used by the monitor alone.
 */
final class Stragglers {
  /*
   * A goroutine computes without a P after one of these:
   *   It lost the P by force.
   *   It gave the P up for a marked call, found no idle P after the call, and could not wait for
   *     one, because it was pinned.
   *   Its P was removed, because there are fewer now.
   * The first kind is reported (add). The others are found when the monitor looks at the Ms (find);
   * what it reads there may be out of date, so a goroutine may be asked too soon, or only at the
   * next look.
   *
   * A straggler is asked to yield for a while, because its thread may have been off the CPU when it
   * lost its P. If asking was in vain, the straggler is left alone until it has computed for REST
   * times as long. Then it is asked again for twice as long, because it may have been far from its
   * next check. A straggler that cannot yield is first left alone.
   *
   * Checked by: PreemptTest.
   */

  /**
   * A straggler that was asked in vain is left alone for this many times as long as it was asked:
   * asking slows all woven code.
   */
  private static final int REST = 10;

  /** A goroutine that computes without a P: the states are asked and resting. */
  private static final class Straggler {
    private final M m;
    private final int tick;
    private long grace;

    // At the last change between asked and resting: the CPU time of the M, the time, the new state.
    private long cpuTime;
    private long since;
    private boolean rests;

    /** The time before which the rest of this straggler cannot be over. */
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
     * Moves the goroutine from asked to resting, or back, if it is time for that. Returns whether
     * it is now asked to yield.
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

    private boolean isOver(long now, long limit) {
      return m.slice.didYieldFail()
          || now - since >= Math.max(limit, 2 * grace)
          || CpuTime.of(m) - cpuTime >= grace;
    }

    private boolean hasRested(long now) {
      long left = REST * grace - computedFor(now);
      nextLook = now + left;
      return left <= 0;
    }

    /**
     * Returns for how long the goroutine has computed since the last change. Where CPU time is not
     * known, all time counts, unless the thread is blocked just now.
     */
    private long computedFor(long now) {
      if (cpuTime >= 0) {
        return CpuTime.of(m) - cpuTime;
      }
      return Sysmon.isWaiting(m) ? 0 : now - since;
    }
  }

  private final List<Straggler> all = new ArrayList<>();

  /** Adds the goroutine on {@code m}, which has lost its P by force. */
  void add(M m, int tick, long now, long grace, boolean isPinned) {
    if (YieldFlag.isPossible()) {
      all.add(new Straggler(m, tick, now, grace, isPinned || m.slice.didYieldFail()));
    }
  }

  /** Adds the goroutines that compute without a P on one of {@code ms}, unless they are known. */
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
   * Forgets stragglers that are none any more, and moves the others between asked and resting. True
   * if at least one is asked now.
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
