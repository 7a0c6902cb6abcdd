package io.heddle;

import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.inspect.LongWaitSite;
import io.heddle.internal.inspect.StuckChecks;
import io.heddle.internal.inspect.StuckReport;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.trace.SchedLatency;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The JMX object (MBean) of one scheduler, which {@link JmxRegistry} registers. */
final class SchedulerBean implements SchedulerMXBean {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** How many goroutines {@link #findLeaked} returns at most. A million may have leaked. */
  private static final int MAX_LEAKS = 1_000;

  private final Scheduler scheduler;

  SchedulerBean(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public String getName() {
    return scheduler.name();
  }

  @Override
  public Stats getStats() {
    return scheduler.stats();
  }

  @Override
  public HandOffs getHandOffs() {
    return scheduler.handOffs();
  }

  @Override
  public LatencySummary getLatency() {
    Latency latency = scheduler.latency();
    return new LatencySummary(
        latency.samples(),
        latency.total().toNanos(),
        upTo(latency, Duration.ofNanos(100_000)),
        upTo(latency, Duration.ofMillis(1)),
        upTo(latency, Duration.ofMillis(10)),
        upTo(latency, Duration.ofMillis(100)),
        upTo(latency, Duration.ofSeconds(1)));
  }

  private static long upTo(Latency latency, Duration bound) {
    return latency.samples() - latency.samplesOver(bound);
  }

  @Override
  public Map<String, Long> getLatencyBuckets() {
    Map<String, Long> cumulative = new HashMap<>();
    List<Latency.Bucket> buckets = scheduler.latency().buckets();
    long sum = 0;
    for (int i = 0; i < buckets.size(); i++) {
      sum += buckets.get(i).samples();
      cumulative.put(SchedLatency.upToSeconds(i), sum);
    }
    return cumulative;
  }

  @Override
  public GoroutineCounts getGoroutineCounts() {
    return scheduler.goroutineCounts();
  }

  @Override
  public List<LimitStats> getLimits() {
    return scheduler.limits();
  }

  @Override
  public Map<String, LimitStats> getLimitsByName() {
    Map<String, LimitStats> byName = new HashMap<>();
    getLimits().forEach(limit -> byName.put(limit.name(), limit));
    return byName;
  }

  @Override
  public LimitStats getLimitTotals() {
    LimitStats sum = new LimitStats("", 0, 0, 0, 0, 0, 0, 0);
    for (LimitStats limit : getLimits()) {
      sum = sum.plus(limit);
    }
    return sum;
  }

  @Override
  public double getOverloadDelaySeconds() {
    return scheduler.overload().delayNanos() / 1e9;
  }

  @Override
  public double getOverloadTargetSeconds() {
    return scheduler.overload().targetNanos() / 1e9;
  }

  @Override
  public OverloadStats getOverload() {
    return scheduler.overload();
  }

  @Override
  public int getMaxThreads() {
    return scheduler.maxThreads();
  }

  @Override
  public int getBusyProcs() {
    return MasterSwitch.isOff() ? 0 : counters().busyProcs();
  }

  @Override
  public int getBusyThreads() {
    return MasterSwitch.isOff() ? 0 : counters().busyThreads();
  }

  @Override
  public int getLocalQueue() {
    return MasterSwitch.isOff() ? 0 : counters().localQueue();
  }

  @Override
  public List<Proc> getProcs() {
    if (MasterSwitch.isOff()) {
      return List.of();
    }
    return counters().procs().stream()
        .map(
            p -> new Proc(p.number(), p.state(), p.thread(), p.goroutine(), p.queued(), p.slices()))
        .toList();
  }

  @Override
  public Map<String, Integer> getGoroutinesByState() {
    return scheduler.byState();
  }

  @Override
  public CpuUsage getCpuUsage() {
    return scheduler.cpuUsage();
  }

  @Override
  public List<HandOffPlace> getHandOffPlaces() {
    return scheduler.handOffPlaces();
  }

  @Override
  public List<ProfiledStack> profile(long millis) {
    return scheduler.profile(Duration.ofMillis(millis));
  }

  @Override
  public String dump() {
    return scheduler.dump();
  }

  @Override
  public String dumpGrouped() {
    return scheduler.dumpGrouped();
  }

  @Override
  public List<DeadlockCycle> findDeadlocked() {
    return StuckChecks.deadlocked(checked(), StuckChecks.MIN_WAIT_NANOS).stream()
        .map(cycle -> new DeadlockCycle(cycle.stream().map(SchedulerBean::stuck).toList()))
        .toList();
  }

  @Override
  public List<StuckGoroutine> findLeaked() {
    return StuckChecks.leaked(checked(), StuckChecks.MIN_WAIT_NANOS).stream()
        .limit(MAX_LEAKS)
        .map(SchedulerBean::stuck)
        .toList();
  }

  @Override
  public List<StuckSite> findStuck(long seconds) {
    if (seconds < 0) {
      throw new IllegalArgumentException("seconds is " + seconds + ": allowed is 0 or more");
    }
    return LongWaitSite.list(checked(), TimeUnit.SECONDS.toNanos(seconds)).stream()
        .map(
            s ->
                new StuckSite(
                    s.site(), s.reason(), s.count(), s.nanos() / NANOS_PER_MILLI, s.ids()))
        .toList();
  }

  @Override
  public int getDeadlockedGoroutines() {
    return scheduler.deadlockedGoroutines();
  }

  @Override
  public int getLeakedGoroutines() {
    return scheduler.leakedGoroutines();
  }

  /** Returns the scheduler to check; throws if Heddle is off. */
  private Sched checked() {
    if (MasterSwitch.isOff()) {
      throw new IllegalStateException(MasterSwitch.missing("stuck goroutines cannot be found"));
    }
    return scheduler.sched();
  }

  private static StuckGoroutine stuck(StuckReport g) {
    return new StuckGoroutine(
        g.scheduler(),
        g.id(),
        g.name(),
        g.reason(),
        g.nanos() / NANOS_PER_MILLI,
        g.holder(),
        g.site() == null ? "" : g.site().toString(),
        g.stack().stream().map(StackTraceElement::toString).toList());
  }

  private SchedCounters counters() {
    return SchedCounters.of(scheduler.sched());
  }
}
