package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.base.ShownTable;
import io.heddle.internal.cgroup.Container;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.sched.Snapshot;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot of one scheduler, and the list of all schedulers, as JSON for the page. */
final class SnapshotJson {
  /**
   * The largest number of goroutines that are listed for the ring of a P. The ring is the local run
   * queue of the P. More goroutines would not fit on a screen.
   */
  private static final int MAX_RING = 64;

  /** The largest number of Ms of a scheduler that are listed in its snapshot. */
  private static final int MAX_MACHINES = 64;

  private SnapshotJson() {}

  static String json(@Nullable Sched sched, String latency) {
    JsonWriter json = new JsonWriter().open('{');
    json.field("time", System.nanoTime() / 1_000_000);
    json.field("ended", KeepAlive.isOver());
    json.field("throttled", Container.throttledLatelyNanos() / 1_000_000);
    json.field("tables", ShownTable.all().size());
    json.key("schedulers").open('[');
    for (Sched each : schedulers()) {
      json.open('{').field("id", each.serial()).field("name", each.name());
      json.field("goroutines", each.goroutines()).close('}');
    }
    json.close(']');
    if (sched != null) {
      write(json, sched);
      json.key("latency").raw(latency);
    }
    return json.close('}').toString();
  }

  /** Returns all schedulers, the oldest first. */
  static List<Sched> schedulers() {
    return Sched.all().sorted(Comparator.comparingInt(Sched::serial)).toList();
  }

  private static void write(JsonWriter json, Sched sched) {
    SchedCounters counters = SchedCounters.of(sched);
    Snapshot seen = Snapshot.of(sched, MAX_RING, MAX_MACHINES);
    json.field("scheduler", sched.serial()).field("name", sched.name());
    json.field("goroutines", counters.living()).field("globalQueue", counters.globalQueue());
    json.field("procs", sched.procs()).field("idleProcs", counters.idleProcs());
    json.field("threads", counters.threads()).field("idleThreads", counters.idleThreads());
    json.field("spinning", counters.spinningThreads()).field("timers", seen.timers());
    json.key("counts").open('{');
    json.field("switches", counters.switches()).field("starts", counters.started());
    json.field("ends", counters.finished()).field("steals", counters.steals());
    json.field("stolen", counters.stolen()).field("handoffs", sched.handOffs().count());
    json.field("preemptions", sched.preemptions()).field("parks", counters.threadParks());
    json.field("timers", counters.timersFired()).field("netpolls", counters.netpolls());
    json.close('}');
    GoroutineDots dots = new GoroutineDots(json);
    json.key("ps").open('[');
    seen.procs().forEach(p -> write(json, dots, p));
    json.close(']').key("ms").open('[');
    seen.machines().forEach(m -> write(json, dots, m));
    json.close(']');
    dots.writeLabels();
  }

  private static void write(JsonWriter json, GoroutineDots dots, Snapshot.ProcSnapshot p) {
    json.open('{').field("n", p.number()).field("state", p.state()).field("m", p.m());
    dots.dot("g", p.g());
    dots.dot("next", p.next());
    json.field("waiting", p.waiting());
    dots.list("ring", p.ring());
    json.close('}');
  }

  private static void write(JsonWriter json, GoroutineDots dots, Snapshot.Machine m) {
    json.open('{').field("n", m.number()).field("state", m.state()).field("p", m.p());
    dots.dot("g", m.g());
    json.field("locked", m.locked()).field("victim", m.victim()).field("steals", m.steals());
    json.field("cpu", m.cpuTime() < 0 ? -1 : m.cpuTime() / 1_000).close('}');
  }
}
