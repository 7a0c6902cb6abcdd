package io.heddle.internal.sched;

import io.heddle.internal.jdk.CpuTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Ps and Ms are doing, for somebody who looks on. Nobody is stopped or made to wait for it.
 *
 * @param procs the Ps
 * @param machines the Ms, those that have the lowest numbers first, up to as many as were asked for
 * @param timers how many timers are armed, or were and have been stopped
 */
public record Snapshot(List<ProcSnapshot> procs, List<Machine> machines, int timers) {
  /*
   * Plain reads of what others write, one after the other. Each value was true at some moment during the call, or a little
   * before; two of them need not have been true at the same one: a goroutine may be seen on two Ps, or on none.
   */

  /**
   * A P.
   *
   * @param state {@code idle}, {@code running}, {@code spinning} (its M looks for work), {@code scheduling} or {@code
   *     stopped}
   * @param m the number of its M, 0 if nobody has it
   * @param g what it runs
   * @param next what it runs next
   * @param waiting how many wait in its ring
   * @param ring the first of them
   */
  public record ProcSnapshot(
      int number,
      String state,
      int m,
      @Nullable G g,
      @Nullable G next,
      int waiting,
      List<G> ring) {}

  /**
   * An M.
   *
   * @param state {@code running}, {@code spinning}, {@code scheduling}, {@code idle}, {@code timekeeper} (idle until the
   *     next timer), {@code call} (in a call that blocks it), or {@code without P} (its goroutine goes on, the P is gone)
   * @param p the number of its P, -1 if it has none
   * @param g the goroutine on it
   * @param locked whether it runs that goroutine alone
   * @param victim the P it stole from last, -1 if from none
   * @param steals how often it, or one that had its counters before, has stolen
   * @param cpuTime of those without a P, in nanoseconds, -1 where nobody can tell: whether it moves tells computing from
   *     blocked; 0 for the others
   */
  public record Machine(
      int number,
      String state,
      int p,
      @Nullable G g,
      boolean locked,
      int victim,
      long steals,
      long cpuTime) {}

  /** With up to {@code ring} goroutines of each ring, and up to {@code machines} Ms. */
  public static Snapshot of(Sched sched, int ring, int machines) {
    List<ProcSnapshot> procs = new ArrayList<>();
    int timers = 0;
    for (P p : sched.world.all()) {
      procs.add(proc(p, ring));
      timers += p.timers.sizeAbout();
    }
    List<M> ms = new ArrayList<>(sched.threads.all());
    ms.sort(Comparator.comparingInt(m -> m.number));
    return new Snapshot(
        procs, ms.stream().limit(machines).map(m -> machine(sched, m)).toList(), timers);
  }

  private static ProcSnapshot proc(P p, int most) {
    List<G> ring = new ArrayList<>();
    p.runQueue.peek(most, ring::add);
    int state = p.state();
    M m = state == P.USER || state == P.SCHED ? p.m() : null;
    boolean spins = m != null && m.spinning;
    G g = m != null && state == P.USER ? m.current() : null;
    return new ProcSnapshot(
        p.number,
        wordFor(state, spins),
        m == null ? 0 : m.number,
        g,
        (G) p.runQueue.next(),
        Math.max(0, p.runQueue.ringSize()),
        ring);
  }

  private static String wordFor(int state, boolean spins) {
    return switch (state) {
      case P.IDLE -> "idle";
      case P.SCHED -> spins ? "spinning" : "scheduling";
      case P.USER -> "running";
      default -> "stopped";
    };
  }

  private static Machine machine(Sched sched, M m) {
    P p = m.hasClaim() ? m.p() : null;
    G g = m.current();
    String state = stateOf(sched, m, p, g);
    boolean isWithout = state.equals("call") || state.equals("without P");
    MCounters counts = m.local;
    return new Machine(
        m.number,
        state,
        p == null ? -1 : p.number,
        state.equals("running") || isWithout ? g : null,
        m.threadLock.holder() != null,
        m.search.lastVictim,
        counts == null ? 0 : counts.steals.get(),
        isWithout ? CpuTime.of(m) : 0);
  }

  private static String stateOf(Sched sched, M m, @Nullable P p, @Nullable G g) {
    if (p != null) {
      return p.state() == P.USER && g != null ? "running" : m.spinning ? "spinning" : "scheduling";
    }
    if (m.call.isInside()) {
      return "call";
    }
    if (sched.timekeeper.isKeeper(m)) {
      return "timekeeper";
    }
    return g == null || (m.threadLock.holder() != null && isOff(g)) ? "idle" : "without P";
  }

  /** An M that is locked to a goroutine remembers it while that is elsewhere. */
  private static boolean isOff(G g) {
    GoroutineState state = g.goroutineState();
    return state == GoroutineState.WAITING || state == GoroutineState.RUNNABLE;
  }
}
