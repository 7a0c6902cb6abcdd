package io.heddle.internal.sched;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A view of a scheduler's figures for observers: counts since its start, and gauges of the present.
 *
 * <p>It stores nothing. Each method reads the machine when it is called, without a lock; two
 * figures need not belong to the same moment.
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

  // Counts since the start: sums over what each M counts by itself.

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

  // Gauges: the state of the machine now.

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

  public int globalQueue() {
    return sched.globalQueue.size();
  }

  /** Returns the length of each P's queue, {@code runNext} included. */
  public int[] localQueues() {
    P[] all = sched.world.all();
    int[] lengths = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      lengths[i] = all[i].runQueue.size();
    }
    return lengths;
  }

  /** Returns the length of each P's ring, without {@code runNext}: what Go's schedtrace shows. */
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
   * Returns how many goroutines are in each state; waiting goroutines are counted by wait reason.
   */
  public Map<String, Integer> byState() {
    Map<String, Integer> counts = new TreeMap<>();
    sched.registry.forEach(g -> counts.merge(g.doing(), 1, Integer::sum));
    return counts;
  }
}
