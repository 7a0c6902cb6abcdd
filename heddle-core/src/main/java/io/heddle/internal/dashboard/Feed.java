package io.heddle.internal.dashboard;

import io.heddle.internal.sched.Sched;
import io.heddle.internal.trace.SchedLatency;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What those that watch one scheduler are sent: always the newest, so that who is slow misses some and nothing piles up.
 */
final class Feed {
  /** Up to so many goroutines are counted anew each time; the page can then follow each of them. */
  private static final int FEW = 400;

  /** With more, counting takes one part in so many of the time at most. */
  private static final long SHARE = 20;

  private static final long SECOND = 1_000_000_000;

  /** What was sent at one time; the census is that of a time before, if it has the number of one before. */
  record Issue(long number, byte[] sample, long censusNumber, byte[] census) {}

  final @Nullable Sched sched;
  final WaitReasonCache reasons = new WaitReasonCache();

  // Of the sampler's thread.
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

  synchronized void join() {
    watchers++;
  }

  synchronized void leave() {
    watchers--;
  }

  synchronized boolean isWatched() {
    return watchers > 0;
  }

  /** The newest, as soon as there is one after the one of that number. */
  synchronized Issue after(long number) throws InterruptedException {
    while (issue.number == number) {
      wait();
    }
    return issue;
  }

  /** For the sampler: looks, and sends. */
  void trySample() {
    try {
      sample(System.nanoTime());
    } catch (RuntimeException | Error e) {
      if (sched != null && !complained) {
        complained = true;
        sched.logLater("the dashboard has missed a look", e);
      }
    }
  }

  private void sample(long now) {
    if (sched != null && percentiles == null) {
      SchedLatency measured = new SchedLatency();
      percentiles = new Percentiles(measured);
      sched.measure(measured);
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

  /** For the sampler: nobody looks any more. */
  void rest() {
    percentiles = null;
    latency = "null";
    nextCensus = 0;
    if (sched != null) {
      sched.measure(null);
    }
  }

  private byte @Nullable [] census(Sched of, long now) {
    boolean isFew = of.goroutines() <= FEW;
    if (!isFew && nextCensus != 0 && now - nextCensus < 0) {
      return null;
    }
    byte[] event = event("census", Census.of(of, reasons).json());
    long took = System.nanoTime() - now;
    nextCensus = now + Math.max(SECOND, SHARE * took);
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
