package io.heddle.internal.watch;

import io.heddle.internal.trace.SchedLatency;

/**
 * A distribution of waits: the number of waits in each range of lengths, which is a bucket of
 * {@link SchedLatency#bucketOf}. Used by one thread at a time.
 */
final class WaitHistogram {
  private final long[] counts;
  private long total;
  private long sum;
  private long longest;

  WaitHistogram() {
    this(new long[SchedLatency.BUCKETS], 0, 0, 0);
  }

  private WaitHistogram(long[] counts, long total, long sum, long longest) {
    this.counts = counts;
    this.total = total;
    this.sum = sum;
    this.longest = longest;
  }

  /**
   * Records a wait of the probe, which is woken once per {@code interval}. During a wait longer
   * than the interval, the probe is not woken again. The waits that it would have had then are
   * recorded, too, because otherwise long waits would be too rare in the distribution.
   */
  void record(long waited, long interval) {
    for (long each = waited; each > 0; each -= interval) {
      counts[SchedLatency.bucketOf(each)]++;
      total++;
      sum += each;
    }
    longest = Math.max(longest, waited);
  }

  WaitHistogram copy() {
    return new WaitHistogram(counts.clone(), total, sum, longest);
  }

  long total() {
    return total;
  }

  long longest() {
    return longest;
  }

  /** Returns the waits in the buckets that metrics have. */
  SchedLatency.Reading reading() {
    return SchedLatency.reading(counts, sum);
  }

  /**
   * Returns a time in nanoseconds that at least the part {@code share} of the waits, from 0 to 1,
   * does not exceed. It is the upper end of a bucket, or the longest wait if that is less. Returns
   * 0 if there are no waits.
   */
  long percentile(double share) {
    long wanted = Math.max(1, (long) Math.ceil(total * share));
    long seen = 0;
    for (int i = 0; i < counts.length && total > 0; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Math.min(longest, SchedLatency.upTo(i));
      }
    }
    return 0;
  }

  /**
   * Returns the number of waits in the buckets whose upper end is above {@code from} and at most
   * {@code to}.
   */
  long between(long from, long to) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      long upTo = SchedLatency.upTo(i);
      sum += upTo > from && upTo <= to ? counts[i] : 0;
    }
    return sum;
  }
}
