package io.heddle.internal.sched;

import io.heddle.internal.base.Counter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.note.RuntimeLock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who lives, and how often what was done: each M keeps its own, these add them up. */
public final class SchedCounters {
  /*
   * A goroutine is counted as started before it is queued and as finished after it ended, so its start is seen by whoever
   * sees its finish (Counter, Ordering). Reading all finishes first and all starts after that, equal sums mean that at a
   * moment in between nobody lived.
   */
  private final Sched sched;
  private final List<MCounters> locals = new CopyOnWriteArrayList<>();
  private final AtomicLong ids = new AtomicLong(1);

  /** For threads that are no M; guarded by the lock. */
  private final MCounters outside = new MCounters();

  private final RuntimeLock outsideLock = new RuntimeLock(VirtualThreads::osYield);

  SchedCounters(Sched sched) {
    this.sched = sched;
    locals.add(outside);
  }

  /** How many goroutines were started and have not ended. */
  public int living() {
    long finished = sum(local -> local.finished);
    return (int) (sum(local -> local.started) - finished);
  }

  public long started() {
    return sum(local -> local.started);
  }

  public long finished() {
    return sum(local -> local.finished);
  }

  public long switches() {
    return sum(local -> local.switches);
  }

  public long steals() {
    return sum(local -> local.steals);
  }

  public long stolen() {
    return sum(local -> local.stolen);
  }

  public long timersFired() {
    return sum(local -> local.timers);
  }

  /** How often somebody asked the network what is ready. */
  public long netpolls() {
    return sum(local -> local.netpolls) + sched.net.latePolls();
  }

  /** How many goroutines wait for a socket, or more: see Net. */
  long netWaiters() {
    long ends = sum(local -> local.netEnds);
    return sum(local -> local.netWaits) - ends;
  }

  public long threadParks() {
    return sum(local -> local.parks);
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

  /** The length of each P's queue, {@code runNext} included. */
  public int[] localQueues() {
    P[] all = sched.world.all();
    int[] lengths = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      lengths[i] = all[i].runQueue.size();
    }
    return lengths;
  }

  /** Without {@code runNext}: what Go's schedtrace shows. */
  public int[] rings() {
    return Stream.of(sched.world.all()).mapToInt(p -> p.runQueue.ringSize()).toArray();
  }

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

  /** How many goroutines do what, or wait for what. */
  public Map<String, Integer> byState() {
    Map<String, Integer> counts = new TreeMap<>();
    forEach(g -> counts.merge(g.doing(), 1, Integer::sum));
    return counts;
  }

  /** How many time slices were begun with each P. */
  public long[] ticks() {
    return Stream.of(sched.world.all()).mapToLong(P::ticks).toArray();
  }

  /** Shows every goroutine that lives during the whole call, and perhaps some that live during a part of it. */
  public void forEach(Consumer<G> action) {
    for (MCounters local : locals) {
      local.goroutines.forEach(action);
    }
  }

  /** The threads of those that live: for thread dumps. */
  public Stream<Thread> virtualThreads() {
    return goroutines().map(G::thread);
  }

  /** Those that {@link #forEach} shows. */
  public Stream<G> goroutines() {
    Stream.Builder<G> all = Stream.builder();
    forEach(all::add);
    return all.build();
  }

  MCounters newLocal() {
    MCounters local = new MCounters();
    locals.add(local);
    return local;
  }

  /** A goroutine is about to be queued for the first time; {@code local} is the calling M's, null outside. */
  void recordStart(G g, @Nullable MCounters local) {
    if (local != null) {
      enter(g, local);
      return;
    }
    outsideLock.lock();
    try {
      enter(g, outside);
    } finally {
      outsideLock.unlock();
    }
  }

  /** A goroutine has ended, or is about to; called on an M, by the M or by the goroutine. */
  void recordEnd(G g) {
    GoroutineList.remove(g);
    M m = sched.currentM();
    if (m != null) {
      sched.tracing.ends(m, g);
      m.local.finished.add(1);
    }
    if (JfrEvents.areOn()) {
      JfrEvents.ended(sched.name(), g.id);
    }
    sched.closing.died();
  }

  /** One that could never go on was collected: it counts as finished. */
  public void collected() {
    outsideLock.lock();
    try {
      outside.finished.add(1);
    } finally {
      outsideLock.unlock();
    }
    sched.closing.died();
  }

  private void enter(G g, MCounters local) {
    g.id = local == outside ? ids.getAndIncrement() : local.nextId(ids);
    local.goroutines.add(g); // may fail for want of memory, and then it is not counted
    local.started.add(1);
  }

  private long sum(Function<MCounters, Counter> which) {
    long sum = 0;
    for (MCounters local : locals) {
      sum += which.apply(local).get();
    }
    return sum;
  }
}
