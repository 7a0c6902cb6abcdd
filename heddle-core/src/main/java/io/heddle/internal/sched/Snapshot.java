package io.heddle.internal.sched;

import io.heddle.internal.jdk.CpuTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the Ps and Ms of a scheduler are doing, for observers. Taking a snapshot stops no thread.
 *
 * @param procs the Ps
 * @param machines the Ms in the order of their numbers, at most as many as were asked for
 * @param timers how many timers the Ps have, including some that were stopped and not removed yet
 */
public record Snapshot(List<ProcSnapshot> procs, List<Machine> machines, int timers) {
  /*
   * A snapshot consists of plain reads, one after the other, of fields that other threads write.
   * Each value was true at some moment during the call or shortly before. Two values need not
   * belong to the same moment: a goroutine may be seen on two Ps, or on none.
   */

  /**
   * A P.
   *
   * @param state {@code idle}, {@code running}, {@code spinning} (its M looks for work), {@code
   *     scheduling} or {@code stopped}
   * @param m the number of its M, 0 if no M owns it
   * @param g the goroutine that runs on it; null if there is none
   * @param next the goroutine in its {@code runNext}; null if there is none
   * @param waiting how many goroutines wait in its ring
   * @param ring the goroutines at the head of its ring, at most as many as were asked for
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
   * @param state {@code running}, {@code spinning}, {@code scheduling}, {@code idle}, {@code
   *     timekeeper} (idle until the next timer is due or a socket is ready), {@code call} (in a
   *     call that its goroutine or the JDK has marked as blocking), or {@code without P} (its
   *     goroutine continues although the M has no P)
   * @param p the number of its P, -1 if it has none
   * @param g the goroutine that runs on this M; null if there is none
   * @param locked whether this M is locked to a goroutine
   * @param victim the number of the P that this M stole from last, -1 if there is none
   * @param steals how often this M, and the ended Ms whose counters it has taken over, have stolen
   * @param cpuTime the CPU time in nanoseconds of an M in state {@code call} or {@code without P},
   *     -1 if unknown; 0 in other states. It grows while the M computes, and not while the M is
   *     blocked
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

  /** Takes a snapshot of at most {@code ring} goroutines per ring and {@code machines} Ms. */
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

  /**
   * Whether {@code g}, the {@code current} of an M that is locked to it, has stepped off that M.
   * {@code current} alone does not tell: it is still {@code g} while {@code g} waits.
   */
  private static boolean isOff(G g) {
    GoroutineState state = g.goroutineState();
    return state == GoroutineState.WAITING || state == GoroutineState.RUNNABLE;
  }
}
