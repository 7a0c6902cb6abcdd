package io.heddle.cli.top;

import io.heddle.CpuUsage;
import io.heddle.HandOffPlace;
import io.heddle.LimitStats;
import io.heddle.OverloadStats;
import io.heddle.SchedulerMXBean;
import io.heddle.Stats;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The figures of a scheduler at one moment. */
record SchedulerReading(
    String name,
    long nanos,
    Stats stats,
    List<SchedulerMXBean.Proc> procs,
    Map<String, Integer> states,
    CpuUsage cpu,
    List<HandOffPlace> places,
    List<LimitStats> limits,
    OverloadStats overload) {

  static SchedulerReading of(SchedulerMXBean scheduler) {
    return new SchedulerReading(
        scheduler.getName(),
        System.nanoTime(),
        scheduler.getStats(),
        scheduler.getProcs(),
        scheduler.getGoroutinesByState(),
        scheduler.getCpuUsage(),
        scheduler.getHandOffPlaces(),
        scheduler.getLimits(),
        scheduler.getOverload());
  }

  /** The CPU time of a share since an earlier reading, in CPUs: 1 if it kept one CPU busy. */
  double cpus(CpuUsage.Share share, List<CpuUsage.Share> before, long nanosBefore) {
    long used = share.nanos();
    for (CpuUsage.Share old : before) {
      if (old.by().equals(share.by())) {
        used -= old.nanos();
      }
    }
    return nanos == nanosBefore ? 0 : (double) used / (nanos - nanosBefore);
  }

  /** The rate of a counter per second since an earlier reading. */
  long rate(SchedulerReading before, ToLongFunction<Stats> count) {
    return rateOf(before, reading -> count.applyAsLong(reading.stats));
  }

  /** The rate of a counter that is not one of {@link #stats}. */
  long rateOf(SchedulerReading before, ToLongFunction<SchedulerReading> count) {
    long times = count.applyAsLong(this) - count.applyAsLong(before);
    return Math.round(times * 1e9 / Math.max(1, nanos - before.nanos));
  }
}
