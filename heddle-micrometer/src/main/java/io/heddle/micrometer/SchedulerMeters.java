package io.heddle.micrometer;

import io.heddle.Latency;
import io.heddle.LimitStats;
import io.heddle.Scheduler;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one scheduler in one registry. */
final class SchedulerMeters {
  private static final String LATENCY = "heddle.sched.latency";
  private static final String LIMIT = "heddle.limit.";

  private final MeterRegistry registry;
  private final Scheduler scheduler;
  private final String label;
  private final Tags tags;

  // Guarded by this.
  private final List<Meter> meters = new ArrayList<>();
  private final Set<String> limits = new HashSet<>(); // those that have meters
  private boolean removed;
  private @Nullable SchedulerReading latest;

  SchedulerMeters(MeterRegistry registry, Scheduler scheduler, String label, Tags tags) {
    this.registry = registry;
    this.scheduler = scheduler;
    this.label = label;
    this.tags = tags;
  }

  /** Returns the value of the tag {@code scheduler}. */
  String label() {
    return label;
  }

  void register() {
    goroutines();
    procsAndThreads();
    counters();
    latency();
    if (scheduler.overload().targetNanos() > 0) {
      overload();
    }
  }

  private void overload() {
    String what = "How long goroutines wait for a P now, in seconds.";
    gauge(
        "heddle.overload.delay.seconds", Tags.empty(), what, r -> r.overload().delayNanos() / 1e9);
    what = "How long goroutines may wait for a P, in seconds.";
    gauge(
        "heddle.overload.target.seconds",
        Tags.empty(),
        what,
        r -> r.overload().targetNanos() / 1e9);
    counter("heddle.overload.admitted", "New work admitted.", r -> r.overload().admitted());
    counter("heddle.overload.shed", "New work refused.", r -> r.overload().shed());
  }

  /** Removes the meters, also those that another thread is about to register. */
  void remove() {
    List<Meter> all;
    synchronized (this) {
      removed = true;
      all = List.copyOf(meters);
    }
    all.forEach(registry::remove);
  }

  private void goroutines() {
    String name = "heddle.goroutines";
    String what = "Goroutines by what they do.";
    gauge(name, "state", "running", what, r -> r.goroutines().running());
    gauge(name, "state", "runnable", what, r -> r.goroutines().runnable());
    gauge(name, "state", "syscall", what, r -> r.goroutines().syscall());
    gauge(name, "state", "waiting", what, r -> r.goroutines().waiting());
    name = "heddle.goroutines.waiting";
    what = "Waiting goroutines by what they wait for.";
    gauge(name, "reason", "channel", what, r -> r.goroutines().channel());
    gauge(name, "reason", "lock", what, r -> r.goroutines().lock());
    gauge(name, "reason", "event", what, r -> r.goroutines().event());
    gauge(name, "reason", "sleep", what, r -> r.goroutines().sleep());
    gauge(name, "reason", "io", what, r -> r.goroutines().io());
    gauge(name, "reason", "other", what, r -> r.goroutines().other());
  }

  private void procsAndThreads() {
    String what = "Ps: how many goroutines can run at the same time.";
    gauge("heddle.procs", "state", "idle", what, r -> r.stats().idleProcs());
    gauge("heddle.procs", "state", "busy", what, r -> r.stats().procs() - r.stats().idleProcs());
    what = "OS threads of the scheduler.";
    gauge("heddle.threads", "state", "idle", what, r -> r.stats().idleThreads());
    gauge("heddle.threads", "state", "spinning", what, r -> r.stats().spinningThreads());
    gauge("heddle.threads", "state", "busy", what, SchedulerReading::busyThreads);
    what = "The largest number of OS threads allowed.";
    gauge("heddle.threads.max", Tags.empty(), what, _ -> scheduler.maxThreads());
    what = "Goroutines that wait for each other, as of the last check.";
    gauge(
        "heddle.deadlocked.goroutines", Tags.empty(), what, _ -> scheduler.deadlockedGoroutines());
    what = "Goroutines that nothing can wake, as of the last check.";
    gauge("heddle.leaked.goroutines", Tags.empty(), what, _ -> scheduler.leakedGoroutines());
    what = "Runnable goroutines in the queues.";
    gauge("heddle.runqueue", "queue", "global", what, r -> r.stats().globalQueue());
    gauge("heddle.runqueue", "queue", "local", what, SchedulerReading::localQueues);
  }

  private void counters() {
    counter("heddle.goroutines.started", "Goroutines started.", r -> r.stats().started());
    counter("heddle.goroutines.finished", "Goroutines ended.", r -> r.stats().finished());
    counter(
        "heddle.switches",
        "How often a thread began to run a goroutine.",
        r -> r.stats().switches());
    counter(
        "heddle.steals",
        "How often a thread took goroutines from another P.",
        r -> r.stats().steals());
    counter("heddle.stolen", "Goroutines taken from another P.", r -> r.stats().stolen());
    counter(
        "heddle.preemptions",
        "How often a goroutine that had used up its time slice was asked to yield.",
        r -> r.stats().preemptions());
    counter(
        "heddle.thread.parks",
        "How often an OS thread went to sleep.",
        r -> r.stats().threadParks());
    counter("heddle.timers.fired", "Timers that have fired.", r -> r.stats().timersFired());
    counter(
        "heddle.netpolls",
        "How often the poller was asked for sockets.",
        r -> r.stats().netpolls());
    handOff("computing", r -> r.handOffs().computing());
    handOff("native", r -> r.handOffs().inNative());
    handOff("pinned", r -> r.handOffs().pinned());
    handOff("marked", r -> r.handOffs().marked());
  }

  private void handOff(String cause, ToDoubleFunction<SchedulerReading> figure) {
    counter(
        "heddle.handoffs",
        Tags.of("cause", cause),
        "How often a P was taken from a goroutine that blocked or computed too long.",
        figure);
  }

  /**
   * A timer for the number and the sum, and the buckets as counters with the tag {@code le}, in the
   * way of Micrometer's own registries without histograms. Prometheus' {@code histogram_quantile}
   * takes them as they are.
   */
  private void latency() {
    String what =
        "How long runnable goroutines waited for a P; one wait in %d is measured."
            .formatted(Latency.ONE_IN);
    keep(
        FunctionTimer.builder(
                LATENCY,
                this,
                each -> each.reading().latency().samples(),
                each -> each.reading().latency().total().toNanos(),
                TimeUnit.NANOSECONDS)
            .description(what)
            .tags(tags)
            .register(registry));
    List<Latency.Bucket> buckets = scheduler.latency().buckets();
    for (int i = 0; i < buckets.size(); i++) {
      int bucket = i;
      counter(
          LATENCY + ".histogram",
          Tags.of("le", seconds(buckets.get(i).upTo())),
          what,
          r -> r.samplesUpTo(bucket));
    }
  }

  private static String seconds(Duration d) {
    return d.equals(ChronoUnit.FOREVER.getDuration())
        ? "+Inf"
        : BigDecimal.valueOf(d.toNanos(), 9).stripTrailingZeros().toPlainString();
  }

  private void gauge(
      String name,
      String key,
      String value,
      String what,
      ToDoubleFunction<SchedulerReading> figure) {
    gauge(name, Tags.of(key, value), what, figure);
  }

  private void gauge(
      String name, Tags more, String what, ToDoubleFunction<SchedulerReading> figure) {
    keep(
        Gauge.builder(name, this, each -> figure.applyAsDouble(each.reading()))
            .description(what)
            .tags(tags.and(more))
            .register(registry));
  }

  private void counter(String name, String what, ToDoubleFunction<SchedulerReading> figure) {
    counter(name, Tags.empty(), what, figure);
  }

  private void counter(
      String name, Tags more, String what, ToDoubleFunction<SchedulerReading> figure) {
    keep(
        FunctionCounter.builder(name, this, each -> figure.applyAsDouble(each.reading()))
            .description(what)
            .tags(tags.and(more))
            .register(registry));
  }

  private void keep(Meter meter) {
    synchronized (this) {
      if (!removed) {
        meters.add(meter);
        return;
      }
    }
    registry.remove(meter);
  }

  private SchedulerReading reading() {
    SchedulerReading reading;
    List<String> added = new ArrayList<>();
    synchronized (this) {
      reading = latest;
      if (reading == null || !reading.isValid()) {
        reading = SchedulerReading.of(scheduler);
        latest = reading;
        for (LimitStats limit : reading.limits()) {
          if (limits.add(limit.name())) {
            added.add(limit.name());
          }
        }
      }
    }
    added.forEach(this::limit); // outside of the lock, because the registry has locks of its own
    return reading;
  }

  /** Registers the meters of a limit. A limit can be made at any time; a reading finds it. */
  private void limit(String name) {
    Tags limit = Tags.of("limit", name);
    gauge(limit, "max", "Goroutines that a limit admits at a time.", LimitStats::max);
    gauge(limit, "running", "Goroutines that were admitted and run.", LimitStats::running);
    gauge(limit, "waiting", "Threads that wait at a limit.", LimitStats::waiting);
    counter(limit, "started", "Goroutines admitted.", LimitStats::started);
    counter(limit, "waited", "Submissions that had to wait.", LimitStats::waited);
    counter(limit, "rejected", "Submissions refused.", LimitStats::rejected);
    counter(limit, "caller.runs", "Tasks that a submitter ran.", LimitStats::ranInCaller);
  }

  private void gauge(Tags limit, String name, String what, ToDoubleFunction<LimitStats> figure) {
    gauge(LIMIT + name, limit, what, r -> r.limit(nameOf(limit), figure));
  }

  private void counter(Tags limit, String name, String what, ToDoubleFunction<LimitStats> figure) {
    counter(LIMIT + name, limit, what, r -> r.limit(nameOf(limit), figure));
  }

  private static String nameOf(Tags limit) {
    return limit.iterator().next().getValue();
  }
}
