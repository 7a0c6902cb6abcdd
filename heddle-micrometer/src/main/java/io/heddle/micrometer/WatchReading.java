package io.heddle.micrometer;

import io.heddle.SchedulerMXBean.LatencySummary;
import io.heddle.WatchMXBean;
import java.util.Map;

/** The results of watch mode at one moment, which the meters of one scrape read. */
record WatchReading(
    LatencySummary waits,
    Map<String, Long> buckets,
    long starvations,
    double starvedSeconds,
    WatchMXBean.HeldSeconds held,
    long mostQueued,
    long validUntil) {

  /** The time in nanoseconds for which a reading is used. */
  private static final long USE = 100_000_000;

  static WatchReading of(WatchMXBean bean) {
    return new WatchReading(
        bean.getWaits(),
        bean.getWaitBuckets(),
        bean.getStarvations(),
        bean.getStarvedSeconds(),
        bean.getHeldSeconds(),
        bean.getMostQueued(),
        System.nanoTime() + USE);
  }

  /** Returns the number of waits that were at most as long as a key of {@link #buckets}. */
  long upTo(String seconds) {
    return buckets.getOrDefault(seconds, 0L);
  }

  boolean isValid() {
    return System.nanoTime() - validUntil < 0;
  }
}
