package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.trace.SchedLatency;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Percentiles of the time that goroutines waited for a P, in the last second and the last minute.
 */
final class Percentiles {
  private static final int SECONDS = 60;

  private final SchedLatency latency;
  private final Deque<long[]> seconds = new ArrayDeque<>(); // the counts of the last 60 seconds

  /** The counts at the last call of {@link #json}. */
  private long[] before;

  Percentiles(SchedLatency latency) {
    this.latency = latency;
    this.before = latency.counts();
  }

  /**
   * Returns the percentiles of the last second and of the last minute as JSON. Called once per
   * second, because each call appends the counts since the previous call to {@link #seconds}.
   */
  String json() {
    long[] now = latency.counts();
    long[] last = now.clone();
    for (int i = 0; i < last.length; i++) {
      last[i] -= before[i];
    }
    before = now;
    seconds.addLast(last);
    if (seconds.size() > SECONDS) {
      seconds.removeFirst();
    }
    long[] minute = new long[last.length];
    for (long[] second : seconds) {
      for (int i = 0; i < minute.length; i++) {
        minute[i] += second[i];
      }
    }
    JsonWriter json = new JsonWriter().open('{');
    write(json.key("second"), last);
    write(json.key("minute"), minute);
    return json.close('}').toString();
  }

  private static void write(JsonWriter json, long[] counts) {
    long n = 0;
    for (long count : counts) {
      n += count;
    }
    json.open('{').field("n", n);
    if (n > 0) {
      json.field("p50", at(counts, n, 50)).field("p90", at(counts, n, 90));
      json.field("p99", at(counts, n, 99)).field("max", at(counts, n, 100));
    }
    json.close('}');
  }

  /**
   * Returns a time in nanoseconds that at least {@code percent} % of the {@code n} values do not
   * exceed: the upper end of a bucket.
   */
  static long at(long[] counts, long n, int percent) {
    long wanted = Math.max(1, (n * percent + 99) / 100);
    long seen = 0;
    int bucket = 0;
    for (int i = 0; i < counts.length && seen < wanted; i++) {
      seen += counts[i];
      bucket = i;
    }
    return SchedLatency.upTo(bucket);
  }
}
