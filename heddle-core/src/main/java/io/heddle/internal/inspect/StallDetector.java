package io.heddle.internal.inspect;

import io.heddle.internal.sched.P;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedConfig;
import io.heddle.internal.sched.SchedCounters;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a goroutine has been runnable for a second and does not run. Then the flight
 * recorder writes the events of the last seconds to a file. Used by sysmon's thread alone.
 */
final class StallDetector {
  /*
   * A queue stalls if it is not empty and nothing is taken from it. For the queue of a P the
   * detector compares the index of the ring head (RunQueue.headIndex) and runNext with those of its
   * last look (one call of look by sysmon). For the global queue it compares the total number of
   * runs of goroutines. It reports a stall once, and again only after something was taken from that
   * queue.
   *
   * Thieves (Ms that search the queues of other Ps) also ask whether a ring stalls. They keep the
   * values of their last look in RingWatch, because they ask about a much shorter interval.
   */
  private static final long STALL_NANOS = 1_000_000_000L;

  /** What the detector knows about one queue. */
  private static final class LastProgress {
    int taken; // a number that changes when an element is taken
    @Nullable Object next; // the goroutine in runNext
    long since = -1; // when the first look saw these values; -1 if the queue was empty
    boolean said; // whether the stall was reported
  }

  private final Sched sched;
  private final TraceSession traces;
  private final @Nullable LastProgress[] seen = new LastProgress[SchedConfig.MAX_PROCS];
  private final LastProgress global = new LastProgress();

  StallDetector(Sched sched, TraceSession traces) {
    this.sched = sched;
    this.traces = traces;
  }

  /** Looks at all queues at time {@code now}. Does nothing if no flight recorder is attached. */
  void look(long now) {
    if (traces.flight() == null) {
      return;
    }
    for (P p : sched.allPs()) {
      boolean waits = !p.runQueue.isEmpty();
      look(of(p), waits, p.runQueue.headIndex(), waits ? p.runQueue.next() : null, now);
    }
    look(
        global,
        SchedCounters.of(sched).globalQueue() > 0,
        (int) SchedCounters.of(sched).switches(),
        null,
        now);
  }

  private void look(LastProgress s, boolean waits, int taken, @Nullable Object next, long now) {
    if (!waits || s.since < 0 || s.taken != taken || s.next != next) {
      s.taken = taken;
      s.next = next;
      s.since = waits ? now : -1;
      s.said = false;
    } else if (!s.said && now - s.since > STALL_NANOS) {
      s.said = true;
      // The report has a thread of its own, because writing takes a while and sysmon must not wait.
      Thread.ofPlatform().daemon().name("heddle-flight").start(this::report);
    }
  }

  private void report() {
    String written = traces.dumpFlight();
    if (written != null) {
      sched.logNow("a goroutine has been runnable for a second and does not run: " + written);
    }
  }

  private LastProgress of(P p) {
    LastProgress s = seen[p.number];
    if (s == null) {
      s = new LastProgress();
      seen[p.number] = s;
    }
    return s;
  }
}
