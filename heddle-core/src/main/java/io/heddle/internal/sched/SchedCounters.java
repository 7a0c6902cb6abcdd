package io.heddle.internal.sched;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The figures of a scheduler for observers: counts since its start, and gauges, which tell its
 * present state.
 *
 * <p>This object stores no figure. Each method reads the data of the scheduler when it is called,
 * without a lock. Two figures need not belong to the same moment.
 */
public final class SchedCounters {
  private final Sched sched;

  private SchedCounters(Sched sched) {
    this.sched = sched;
  }

  /** Returns the figures of {@code sched}. */
  public static SchedCounters of(Sched sched) {
    return new SchedCounters(sched);
  }

  // Counts since the start of the scheduler. Each M counts its own events; a sum adds these up.

  public long started() {
    return sched.registry.sum(local -> local.started);
  }

  public long finished() {
    return sched.registry.sum(local -> local.finished);
  }

  public long switches() {
    return sched.registry.sum(local -> local.switches);
  }

  public long steals() {
    return sched.registry.sum(local -> local.steals);
  }

  public long stolen() {
    return sched.registry.sum(local -> local.stolen);
  }

  public long timersFired() {
    return sched.registry.sum(local -> local.timers);
  }

  /** Returns how often an M or sysmon asked the network which sockets are ready. */
  public long netpolls() {
    return sched.registry.sum(local -> local.netpolls) + sched.net.latePolls();
  }

  public long threadParks() {
    return sched.registry.sum(local -> local.parks);
  }

  /** Returns how many time slices were begun with each P. */
  public long[] ticks() {
    return Stream.of(sched.world.all()).mapToLong(P::ticks).toArray();
  }

  // Gauges: the present state of the scheduler.

  /** Returns how many goroutines were started and have not ended. */
  public int living() {
    return sched.registry.living();
  }

  public int threads() {
    return sched.threads.count();
  }

  public int idleThreads() {
    return sched.threads.idle();
  }

  public int spinningThreads() {
    return sched.spinning.count();
  }

  public int idleProcs() {
    return sched.idlePs.size();
  }

  /** Returns the number of Ps that are not idle. */
  public int busyProcs() {
    return Math.max(0, sched.procs() - idleProcs());
  }

  /** Returns the number of Ms that neither are idle nor spin: usually they run a goroutine. */
  public int busyThreads() {
    return Math.max(0, threads() - idleThreads() - spinningThreads());
  }

  public int globalQueue() {
    return sched.globalQueue.size();
  }

  /** Returns the number of goroutines in each P's queue, {@code runNext} included. */
  public int[] localQueues() {
    P[] all = sched.world.all();
    int[] lengths = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      lengths[i] = all[i].runQueue.size();
    }
    return lengths;
  }

  /** Returns the number of goroutines in the queues of all Ps together. */
  public int localQueue() {
    return Arrays.stream(localQueues()).sum();
  }

  /** Returns the number of goroutines in each P's ring, without {@code runNext}. */
  public int[] rings() {
    return Stream.of(sched.world.all()).mapToInt(p -> p.runQueue.ringSize()).toArray();
  }

  /** Returns what each P is doing. */
  public List<ProcView> procs() {
    return Stream.of(sched.world.all()).map(SchedCounters::viewOf).toList();
  }

  private static ProcView viewOf(P p) {
    M m = p.isIdle() ? null : p.m();
    boolean inUser = p.epochInUser() >= 0;
    G g = m != null && inUser ? m.current() : null;
    return new ProcView(
        p.number,
        m == null ? "idle" : inUser ? "running" : "scheduling",
        m == null ? "" : m.getName(),
        g == null ? 0 : g.id,
        p.runQueue.size(),
        p.ticks());
  }

  /**
   * How many goroutines are in each state, and how many are in each kind of wait.
   *
   * @param states the number for each {@link GoroutineState}
   * @param waits the number of waiting goroutines for each {@link WaitKind}
   */
  public record Tally(Map<GoroutineState, Integer> states, Map<WaitKind, Integer> waits) {

    /** Returns an empty tally, to which goroutines can be added. */
    public static Tally empty() {
      return new Tally(new EnumMap<>(GoroutineState.class), new EnumMap<>(WaitKind.class));
    }

    /** Adds a goroutine that waits for {@code reason}; an empty reason means that it runs. */
    public void add(String reason) {
      if (reason.isEmpty()) {
        add(GoroutineState.RUNNING);
      } else {
        add(GoroutineState.WAITING);
        add(WaitKind.of(reason));
      }
    }

    private void add(GoroutineState state) {
      states.merge(state, 1, Integer::sum);
    }

    private void add(WaitKind kind) {
      waits.merge(kind, 1, Integer::sum);
    }

    /** Returns the number of goroutines in {@code state}. */
    public int in(GoroutineState state) {
      return states.getOrDefault(state, 0);
    }

    /** Returns the number of goroutines in a wait of {@code kind}. */
    public int in(WaitKind kind) {
      return waits.getOrDefault(kind, 0);
    }
  }

  /**
   * Counts the goroutines by state and kind of wait. It visits all of them and reads no stack,
   * which takes some 20 to 50 ns per goroutine.
   */
  public Tally tally() {
    Tally tally = Tally.empty();
    sched.registry.forEach(
        g -> {
          GoroutineState state = g.goroutineState();
          tally.add(state);
          if (state == GoroutineState.WAITING) {
            tally.add(WaitKind.of(g));
          }
        });
    return tally;
  }

  /**
   * Returns how many goroutines are in each state. The keys are the names of the states; for
   * waiting goroutines, the wait reasons.
   */
  public Map<String, Integer> byState() {
    Map<String, Integer> counts = new TreeMap<>();
    sched.registry.forEach(g -> counts.merge(g.doing(), 1, Integer::sum));
    return counts;
  }
}
