package io.heddle;

import io.heddle.internal.trace.SchedLatency;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * How long goroutines of a {@link Scheduler} were runnable before they ran: Go's
 * {@code /sched/latencies}. A request loses this time because no P (processor, the right to run) is
 * free for it.
 *
 * {@snippet :
 * Latency before = scheduler.latency();
 * runLoad();
 * Latency load = scheduler.latency().since(before);
 * System.out.println(load.samples() + " samples, p99 at most " + load.percentile(99));
 * }
 *
 * <p>A scheduler measures about one wait in {@value #ONE_IN}, from the start of the scheduler on.
 * An object of this class does not change, and any thread can use it.
 *
 * @param samples the number of waits that were measured; about {@value #ONE_IN} times as many
 *     happened
 * @param total the sum of the measured waits
 * @param buckets the measured waits by their length, the shortest first; the bounds of the buckets
 *     are the same in every object
 */
public record Latency(long samples, Duration total, List<Bucket> buckets) {
  /** On average, one wait in this number is measured. */
  public static final int ONE_IN = SchedLatency.ONE_IN;

  /**
   * The number of measured waits whose length is in one interval.
   *
   * @param upTo the upper bound of the interval; {@link ChronoUnit#FOREVER} in the last bucket
   * @param samples the number of waits that were not longer than {@code upTo}, but longer than
   *     {@code upTo} of the bucket before
   */
  public record Bucket(Duration upTo, long samples) {}

  /** Makes a latency; copies the list of buckets. */
  public Latency {
    buckets = List.copyOf(buckets);
  }

  /**
   * Returns a length that {@code percent} % of the measured waits did not exceed.
   *
   * @param percent above 0, and at most 100
   * @return the upper bound of a bucket; zero if nothing was measured
   * @throws IllegalArgumentException if {@code percent} is out of range
   */
  public Duration percentile(double percent) {
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException(
          "percentile " + percent + ": allowed is above 0, and at most 100");
    }
    long wanted = (long) Math.ceil(samples * percent / 100);
    Duration end = Duration.ZERO;
    long seen = 0;
    for (Bucket bucket : buckets) {
      if (seen < wanted) {
        seen += bucket.samples();
        end = bucket.upTo();
      }
    }
    return end;
  }

  /**
   * Returns how many measured waits were longer than {@code d}. Exact if {@code d} is the upper
   * bound of a bucket; otherwise the waits of the bucket that contains {@code d} do not count.
   *
   * @param d the limit
   * @return the number of waits in the buckets that lie entirely above {@code d}
   */
  public long samplesOver(Duration d) {
    long over = 0;
    Duration start = Duration.ZERO;
    for (Bucket bucket : buckets) {
      if (start.compareTo(d) >= 0) {
        over += bucket.samples();
      }
      start = bucket.upTo();
    }
    return over;
  }

  /**
   * Returns what was measured after {@code earlier} was read, from the same scheduler.
   *
   * @param earlier an earlier result of {@link Scheduler#latency} for that scheduler
   * @return the waits that were measured in between
   */
  public Latency since(Latency earlier) {
    List<Bucket> differences = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      Bucket now = buckets.get(i);
      differences.add(new Bucket(now.upTo(), now.samples() - earlier.buckets().get(i).samples()));
    }
    return new Latency(samples - earlier.samples(), total.minus(earlier.total()), differences);
  }

  static Latency of(SchedLatency measured) {
    SchedLatency.Reading reading = measured.read();
    long[] bounds = SchedLatency.coarseBounds();
    List<Bucket> buckets = new ArrayList<>();
    long samples = 0;
    for (int i = 0; i < reading.counts().length; i++) {
      long count = reading.counts()[i];
      samples += count;
      buckets.add(new Bucket(endOf(bounds, i), count));
    }
    return new Latency(samples, Duration.ofNanos(reading.totalNanos()), buckets);
  }

  private static Duration endOf(long[] bounds, int bucket) {
    return bucket < bounds.length
        ? Duration.ofNanos(bounds[bucket])
        : ChronoUnit.FOREVER.getDuration();
  }
}
