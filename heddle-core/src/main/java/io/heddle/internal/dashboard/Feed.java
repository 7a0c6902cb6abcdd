package io.heddle.internal.dashboard;

import io.heddle.internal.sched.Sched;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page receives about one scheduler. The sampling thread publishes one {@link
 * Issue} for each sample. A feed keeps only the latest issue, so a slow client misses some issues
 * and no backlog builds up.
 */
final class Feed {
  /**
   * If a scheduler has at most this number of goroutines, each issue has a new {@link Census} of
   * them, so that the page can follow each goroutine. With more goroutines a census is taken less
   * often.
   */
  private static final int MAX_COUNTED_EACH_TIME = 400;

  /**
   * With more than {@link #MAX_COUNTED_EACH_TIME} goroutines, a census is taken at most once a
   * second, and so seldom that the censuses take at most 1 / {@code CENSUS_SHARE} of the elapsed
   * time.
   */
  private static final long CENSUS_SHARE = 20;

  private static final long SECOND = 1_000_000_000;

  /**
   * The data of one point in time, as events of the stream.
   *
   * @param number the number of this issue; 0 before the first sample
   * @param sample the snapshot of the scheduler; empty in issue 0
   * @param censusNumber the number of the issue for which the census was taken, at most {@code
   *     number}; 0 if there is no census
   * @param census the latest census; empty if there is none
   */
  record Issue(long number, byte[] sample, long censusNumber, byte[] census) {}

  final @Nullable Sched sched;
  final WaitReasonCache reasons = new WaitReasonCache();

  // Owned by the sampling thread.
  private @Nullable Percentiles percentiles;
  private String latency = "null";
  private boolean complained;
  private long nextSecond;
  private long nextCensus;

  // Guarded by this.
  private Issue issue = new Issue(0, new byte[0], 0, new byte[0]);
  private int watchers;

  Feed(@Nullable Sched sched) {
    this.sched = sched;
  }

  /** Adds a watching stream. */
  synchronized void join() {
    watchers++;
  }

  /** Removes a watching stream. */
  synchronized void leave() {
    watchers--;
  }

  synchronized boolean isWatched() {
    return watchers > 0;
  }

  /**
   * Waits until the latest issue has another number than {@code number}, and returns that issue.
   */
  synchronized Issue after(long number) throws InterruptedException {
    while (issue.number == number) {
      wait();
    }
    return issue;
  }

  /**
   * Sampling thread: takes a sample and publishes it. An error is caught. The first error is
   * logged, if there is a scheduler.
   */
  void trySample() {
    try {
      sample(System.nanoTime());
    } catch (RuntimeException | Error e) {
      if (sched != null && !complained) {
        complained = true;
        sched.logLater("the dashboard has missed a sample", e);
      }
    }
  }

  private void sample(long now) {
    if (sched != null && percentiles == null) {
      percentiles = new Percentiles(sched.latency());
      nextSecond = now + SECOND;
    }
    if (percentiles != null && now - nextSecond >= 0) {
      nextSecond = now + SECOND;
      latency = percentiles.json();
    }
    byte[] sample = event("sample", SnapshotJson.json(sched, latency));
    byte[] census = sched == null ? null : census(sched, now);
    publish(sample, census);
  }

  /**
   * Sampling thread: forgets the percentiles and the time of the next census, because no stream
   * watches any more. The next stream must get fresh data.
   */
  void rest() {
    percentiles = null;
    latency = "null";
    nextCensus = 0;
  }

  private byte @Nullable [] census(Sched of, long now) {
    boolean isFew = of.goroutines() <= MAX_COUNTED_EACH_TIME;
    if (!isFew && nextCensus != 0 && now - nextCensus < 0) {
      return null;
    }
    byte[] event = event("census", Census.of(of, reasons).json());
    long took = System.nanoTime() - now;
    nextCensus = now + Math.max(SECOND, CENSUS_SHARE * took);
    return event;
  }

  private synchronized void publish(byte[] sample, byte @Nullable [] census) {
    long number = issue.number + 1;
    issue =
        census == null
            ? new Issue(number, sample, issue.censusNumber, issue.census)
            : new Issue(number, sample, number, census);
    notifyAll();
  }

  private static byte[] event(String name, String data) {
    return ("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
  }
}
