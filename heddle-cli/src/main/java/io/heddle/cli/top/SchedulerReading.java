package io.heddle.cli.top;

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
    Map<String, Integer> states) {

  static SchedulerReading of(SchedulerMXBean scheduler) {
    return new SchedulerReading(
        scheduler.getName(),
        System.nanoTime(),
        scheduler.getStats(),
        scheduler.getProcs(),
        scheduler.getGoroutinesByState());
  }

  /** The rate of a counter per second since an earlier reading. */
  long rate(SchedulerReading before, ToLongFunction<Stats> count) {
    long times = count.applyAsLong(stats) - count.applyAsLong(before.stats);
    return Math.round(times * 1e9 / Math.max(1, nanos - before.nanos));
  }
}
