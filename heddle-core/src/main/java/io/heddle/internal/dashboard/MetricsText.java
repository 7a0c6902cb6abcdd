package io.heddle.internal.dashboard;

import io.heddle.internal.admit.DelayGate;
import io.heddle.internal.admit.GateCounts;
import io.heddle.internal.base.ShownTable;
import io.heddle.internal.cgroup.Container;
import io.heddle.internal.cgroup.ContainerLimits;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.sched.WaitKind;
import io.heddle.internal.trace.SchedLatency;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Writes the figures of all schedulers in the text format of Prometheus, version 0.0.4: {@code GET
 * /metrics}. The guide describes each metric.
 */
final class MetricsText {
  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Figures of one scheduler, which several metrics show. They are read once for all metrics. */
  private record Scrape(
      String label,
      Sched sched,
      SchedCounters counters,
      SchedCounters.Tally tally,
      SchedLatency.Reading latency) {}

  private final StringBuilder out = new StringBuilder();
  private final List<Scrape> scrapes = new ArrayList<>();

  private MetricsText() {
    Map<String, Integer> named = new HashMap<>();
    for (Sched sched : SnapshotJson.schedulers()) {
      int before = named.merge(sched.name(), 1, Integer::sum) - 1;
      String name = before == 0 ? sched.name() : sched.name() + "#" + (before + 1);
      SchedCounters counters = SchedCounters.of(sched);
      scrapes.add(
          new Scrape(
              "scheduler=\"" + escaped(name) + "\"",
              sched,
              counters,
              counters.tally(),
              sched.latency().read()));
    }
  }

  static String write() {
    MetricsText text = new MetricsText();
    text.gauges();
    text.counters();
    text.latency();
    text.limits();
    text.overload();
    text.container();
    text.stuck();
    text.tables();
    return text.out.toString();
  }

  private void gauges() {
    family("heddle_goroutines", "gauge", "Goroutines by what they do.");
    GoroutineState[] states = {
      GoroutineState.RUNNING,
      GoroutineState.RUNNABLE,
      GoroutineState.SYSCALL,
      GoroutineState.WAITING
    };
    for (GoroutineState state : states) {
      each("heddle_goroutines", "state", state.word(), r -> r.tally.in(state));
    }
    family("heddle_goroutines_waiting", "gauge", "Waiting goroutines by what they wait for.");
    for (WaitKind kind : WaitKind.values()) {
      each("heddle_goroutines_waiting", "reason", kind.word(), r -> r.tally.in(kind));
    }
    family("heddle_procs", "gauge", "Ps: how many goroutines can run at the same time.");
    each("heddle_procs", "state", "idle", r -> r.counters.idleProcs());
    each("heddle_procs", "state", "busy", r -> r.counters.busyProcs());
    family("heddle_threads", "gauge", "OS threads of the scheduler.");
    each("heddle_threads", "state", "idle", r -> r.counters.idleThreads());
    each("heddle_threads", "state", "spinning", r -> r.counters.spinningThreads());
    each("heddle_threads", "state", "busy", r -> r.counters.busyThreads());
    family("heddle_threads_max", "gauge", "The largest number of OS threads allowed.");
    each("heddle_threads_max", r -> r.sched.maxThreads());
    family("heddle_runqueue", "gauge", "Runnable goroutines in the queues.");
    each("heddle_runqueue", "queue", "global", r -> r.counters.globalQueue());
    each("heddle_runqueue", "queue", "local", r -> r.counters.localQueue());
  }

  private void counters() {
    counter("heddle_goroutines_started", "Goroutines started.", r -> r.counters.started());
    counter("heddle_goroutines_finished", "Goroutines ended.", r -> r.counters.finished());
    counter(
        "heddle_switches",
        "How often a thread began to run a goroutine.",
        r -> r.counters.switches());
    counter(
        "heddle_steals",
        "How often a thread took goroutines from another P.",
        r -> r.counters.steals());
    counter("heddle_stolen", "Goroutines taken from another P.", r -> r.counters.stolen());
    counter(
        "heddle_preemptions",
        "How often a goroutine that had used up its time slice was asked to yield.",
        r -> r.sched.preemptions());
    counter(
        "heddle_thread_parks",
        "How often an OS thread went to sleep.",
        r -> r.counters.threadParks());
    counter("heddle_timers_fired", "Timers that have fired.", r -> r.counters.timersFired());
    counter(
        "heddle_netpolls",
        "How often the poller was asked for sockets.",
        r -> r.counters.netpolls());
    family(
        "heddle_handoffs_total",
        "counter",
        "How often a P was taken from a goroutine that blocked or computed too long.");
    for (HandOff.Reason reason : HandOff.Reason.values()) {
      String cause = reason.name().toLowerCase(Locale.ROOT);
      each("heddle_handoffs_total", "cause", cause, r -> r.sched.handOffs().count(reason));
    }
  }

  private void latency() {
    String name = "heddle_sched_latency_seconds";
    family(
        name,
        "histogram",
        "How long runnable goroutines waited for a P; one wait in %d is measured."
            .formatted(SchedLatency.ONE_IN));
    forEach(
        (label, r) -> {
          long[] counts = r.latency.counts();
          long sum = 0;
          for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            String le = ",le=\"" + SchedLatency.upToSeconds(i) + "\"";
            line(name + "_bucket", label + le, Long.toString(sum));
          }
          BigDecimal seconds = BigDecimal.valueOf(r.latency.totalNanos(), 9);
          line(name + "_sum", label, seconds.toPlainString());
          line(name + "_count", label, Long.toString(sum));
        });
  }

  /**
   * Writes the figures of the {@link ShownTable}s. Several tables may have the same metric, whose
   * lines must be together in the text.
   */
  private void tables() {
    Map<String, StringBuilder> families = new LinkedHashMap<>();
    for (ShownTable table : ShownTable.all()) {
      if (table.columns().stream().anyMatch(column -> !column.metric().isEmpty())) {
        table.look().forEach(row -> lines(families, table, row));
      }
    }
    families.values().forEach(out::append);
  }

  private static void lines(
      Map<String, StringBuilder> families, ShownTable table, ShownTable.TableRow row) {
    StringJoiner labels = new StringJoiner(",", "{", "}");
    for (int i = 0; i < row.labels().size(); i++) {
      labels.add(table.labels().get(i) + "=\"" + escaped(row.labels().get(i)) + "\"");
    }
    for (int i = 0; i < row.figures().length; i++) {
      ShownTable.Column column = table.columns().get(i);
      if (!column.metric().isEmpty() && !Double.isNaN(row.figures()[i])) {
        String name = column.metric();
        String type = column.isCounter() ? "counter" : "gauge";
        families
            .computeIfAbsent(name, _ -> new StringBuilder(head(name, type, column.help())))
            .append(name)
            .append(labels)
            .append(' ')
            .append(BigDecimal.valueOf(row.figures()[i]).toPlainString())
            .append('\n');
      }
    }
  }

  private void limits() {
    if (scrapes.stream().allMatch(r -> r.sched.gates().counts().isEmpty())) {
      return;
    }
    limit("max", "gauge", "Goroutines that a limit admits at a time.", GateCounts::max);
    limit("running", "gauge", "Goroutines that were admitted and run.", GateCounts::running);
    limit("waiting", "gauge", "Threads that wait at a limit.", GateCounts::waiting);
    limit("started_total", "counter", "Goroutines admitted.", GateCounts::admitted);
    limit("waited_total", "counter", "Submissions that had to wait.", GateCounts::waited);
    limit("rejected_total", "counter", "Submissions refused.", GateCounts::rejected);
    limit("caller_runs_total", "counter", "Tasks that a submitter ran.", GateCounts::inCaller);
  }

  private void overload() {
    if (scrapes.stream().allMatch(r -> r.sched.delayGate() == null)) {
      return;
    }
    family("heddle_overload_delay_seconds", "gauge", "How long goroutines wait for a P now.");
    overload("heddle_overload_delay_seconds", gate -> seconds(gate.delayNanos()));
    family("heddle_overload_target_seconds", "gauge", "How long goroutines may wait for a P.");
    overload("heddle_overload_target_seconds", gate -> seconds(gate.targetNanos()));
    family("heddle_overload_admitted_total", "counter", "New work that was admitted.");
    overload("heddle_overload_admitted_total", gate -> Long.toString(gate.admitted()));
    family("heddle_overload_shed_total", "counter", "New work that was refused.");
    overload("heddle_overload_shed_total", gate -> Long.toString(gate.shed()));
  }

  /**
   * Writes the limits of the container. They have no label of a scheduler, because they are limits
   * of the process.
   */
  private void container() {
    ContainerLimits limits = Container.limits();
    family("heddle_container_cpus", "gauge", "CPUs that the container may use; 0: no limit.");
    BigDecimal cpus = BigDecimal.valueOf(limits.milliCpus().orElse(0), 3);
    out.append("heddle_container_cpus ").append(cpus.toPlainString()).append('\n');
    String throttled = "heddle_container_throttled_seconds_total";
    family(throttled, "counter", "How long CPUs stood still because of that limit.");
    out.append(throttled).append(' ').append(seconds(limits.throttledNanos().orElse(0)));
    out.append('\n');
  }

  private void stuck() {
    family(
        "heddle_deadlocked_goroutines",
        "gauge",
        "Goroutines that wait for each other, as of the last check.");
    each("heddle_deadlocked_goroutines", r -> Inspector.of(r.sched).checks().deadlocked());
    family(
        "heddle_leaked_goroutines",
        "gauge",
        "Goroutines that nothing can wake, as of the last check.");
    each("heddle_leaked_goroutines", r -> Inspector.of(r.sched).checks().leaked().size());
  }

  private void overload(String name, Function<DelayGate, String> value) {
    forEach(
        (label, r) -> {
          DelayGate gate = r.sched.delayGate();
          if (gate != null) {
            line(name, label, value.apply(gate));
          }
        });
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos, 9).toPlainString();
  }

  private void limit(String figure, String type, String help, ToLongFunction<GateCounts> value) {
    String name = "heddle_limit_" + figure;
    family(name, type, help);
    forEach(
        (label, r) -> {
          for (GateCounts counts : r.sched.gates().counts()) {
            String more = ",limit=\"" + escaped(counts.name()) + "\"";
            line(name, label + more, Long.toString(value.applyAsLong(counts)));
          }
        });
  }

  private void counter(String name, String help, ToLongFunction<Scrape> figure) {
    family(name + "_total", "counter", help);
    each(name + "_total", figure);
  }

  private void family(String name, String type, String help) {
    out.append(head(name, type, help));
  }

  private static String head(String name, String type, String help) {
    return "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
  }

  private void each(String name, ToLongFunction<Scrape> figure) {
    forEach((label, r) -> line(name, label, Long.toString(figure.applyAsLong(r))));
  }

  private void each(String name, String key, String value, ToLongFunction<Scrape> figure) {
    String more = "," + key + "=\"" + value + "\"";
    forEach((label, r) -> line(name, label + more, Long.toString(figure.applyAsLong(r))));
  }

  private void forEach(BiConsumer<String, Scrape> action) {
    scrapes.forEach(r -> action.accept(r.label, r));
  }

  private void line(String name, String labels, String value) {
    out.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
