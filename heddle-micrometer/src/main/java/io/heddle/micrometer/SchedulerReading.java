package io.heddle.micrometer;

import io.heddle.GoroutineCounts;
import io.heddle.HandOffs;
import io.heddle.Latency;
import io.heddle.LimitStats;
import io.heddle.OverloadStats;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a scheduler at one moment. The meters of one scrape read the same object, so their
 * figures fit together, and the goroutines are counted once.
 */
record SchedulerReading(
    Stats stats,
    HandOffs handOffs,
    Latency latency,
    GoroutineCounts goroutines,
    List<LimitStats> limits,
    OverloadStats overload,
    long validUntil) {

  /** The shortest time in nanoseconds for which a reading is used. */
  private static final long SHORTEST_USE = 100_000_000;

  /** Taking readings takes at most one part in this number of the time. */
  private static final long SHARE = 20;

  static SchedulerReading of(Scheduler scheduler) {
    long start = System.nanoTime();
    GoroutineCounts goroutines = scheduler.goroutineCounts();
    long end = System.nanoTime();
    return new SchedulerReading(
        scheduler.stats(),
        scheduler.handOffs(),
        scheduler.latency(),
        goroutines,
        scheduler.limits(),
        scheduler.overload(),
        end + Math.max(SHORTEST_USE, SHARE * (end - start)));
  }

  /** Returns a figure of the limit of that name, which exists. */
  double limit(String name, ToDoubleFunction<LimitStats> figure) {
    return limits.stream()
        .filter(each -> each.name().equals(name))
        .mapToDouble(figure)
        .findFirst()
        .orElse(0);
  }

  boolean isValid() {
    return System.nanoTime() - validUntil < 0;
  }

  /** The three figures are read one after the other, so they may not fit together. */
  int busyThreads() {
    return Math.max(0, stats.threads() - stats.idleThreads() - stats.spinningThreads());
  }

  int localQueues() {
    return Arrays.stream(stats.localQueues()).sum();
  }

  /** Returns the number of measured waits in the bucket with that index and those before it. */
  long samplesUpTo(int bucket) {
    long sum = 0;
    for (int i = 0; i <= bucket; i++) {
      sum += latency.buckets().get(i).samples();
    }
    return sum;
  }
}
