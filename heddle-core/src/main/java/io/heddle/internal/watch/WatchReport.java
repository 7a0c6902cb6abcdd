package io.heddle.internal.watch;

import io.heddle.internal.trace.SchedLatency;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a {@link CarrierWatch} has found so far. Times are in nanoseconds.
 *
 * @param elapsed how long the watch has run
 * @param interval the time between two wake-ups of the probe, a virtual thread of the watch
 * @param carriers the number of carriers
 * @param waits how long the probe, and so any virtual thread, waited for a carrier
 * @param starvations how often no carrier was free for the probe for at least one interval
 * @param starved how long all starvations together lasted
 * @param mostQueued the largest number of virtual threads that waited during a starvation
 * @param lateLooks how often the watch itself ran late, because the machine or the JVM was stopped
 * @param holders what held the carriers during the starvations, the longest first
 * @param waiters which threads waited during the starvations, the most numerous first
 */
public record WatchReport(
    long elapsed,
    long interval,
    int carriers,
    Waits waits,
    long starvations,
    long starved,
    long mostQueued,
    long lateLooks,
    List<HeldPlace> holders,
    List<WaitingThreads> waiters) {

  /**
   * A distribution of waits.
   *
   * @param count the number of waits
   * @param p50 the median
   * @param p90 the 90th percentile
   * @param p99 the 99th percentile
   * @param p999 the 99.9th percentile
   * @param longest the longest wait
   * @param ranges the number of waits in each range. A range ends at one of the {@link #LIMITS},
   *     which belongs to the range, and begins above the limit before; the last range has no end.
   * @param histogram the same waits in the buckets that metrics have
   */
  public record Waits(
      long count,
      long p50,
      long p90,
      long p99,
      long p999,
      long longest,
      List<Long> ranges,
      SchedLatency.Reading histogram) {
    /** The upper ends of the ranges, in microseconds. */
    public static final List<Long> LIMITS =
        List.of(10L, 100L, 1_000L, 10_000L, 100_000L, 1_000_000L);

    /**
     * Returns for each bucket the number of waits in that bucket and in all shorter ones. The key
     * is the upper end of the bucket in seconds, for example {@code 0.005}; the last key is {@code
     * +Inf}.
     */
    public Map<String, Long> cumulative() {
      return histogram.cumulative();
    }

    /**
     * Returns the number of waits that were at most {@code seconds} long, which must be a key of
     * {@link #cumulative}.
     */
    public long upTo(String seconds) {
      return Objects.requireNonNull(cumulative().get(seconds));
    }

    /** Returns the sum of all waits. */
    public long total() {
      return histogram.totalNanos();
    }
  }

  /**
   * Code that held carriers.
   *
   * @param kind {@code computing}, {@code pinned} or {@code native}: see {@code CarrierHold}
   * @param place the innermost frame of the stack that does not belong to the JDK
   * @param held how long carriers were held there, estimated from the samples
   * @param samples the number of samples that found a carrier held there
   * @param thread the name of one virtual thread that was found there
   * @param stack the stack of that thread
   */
  public record HeldPlace(
      String kind,
      String place,
      long held,
      long samples,
      String thread,
      List<StackTraceElement> stack) {}

  /**
   * Virtual threads that waited for a carrier, and whose names are equal except for numbers.
   *
   * @param name their name, with {@code *} for each number
   * @param threads how many such threads were seen to wait
   * @param longest the longest time for which one such thread was seen to wait; it may have waited
   *     longer
   */
  public record WaitingThreads(String name, long threads, long longest) {}

  /** Returns the time that all holders together held carriers. */
  long held() {
    return holders.stream().mapToLong(HeldPlace::held).sum();
  }

  /** Returns the time that the holders of a kind held carriers. */
  public long heldBy(String kind) {
    return holders.stream()
        .filter(each -> each.kind().equals(kind))
        .mapToLong(HeldPlace::held)
        .sum();
  }
}
