package io.heddle.internal.inspect;

import io.heddle.internal.sched.P;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedConfig;
import io.heddle.internal.sched.SchedCounters;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a goroutine has been runnable for a second and does not run, and lets the flight
 * recorder write the last seconds. Used by sysmon's thread alone.
 */
final class StallDetector {
  /*
   * A goroutine waits in a queue as long as the queue is not empty and the head of the queue does
   * not change. For a P the detector reads the index of the ring head and runNext; for the global
   * queue, whether any goroutine at all is run. It reports a stall once, and again only after that
   * queue has moved.
   *
   * RunQueue.headIndex is authoritative for "has this queue moved?". Each observer keeps the value
   * of its own last look, because each asks about another interval: thieves in RingWatch, this
   * class here. Sysmon keeps ticks of Ms, not of queues.
   */
  private static final long STALL_NANOS = 1_000_000_000L;

  private static final class LastProgress {
    int taken;
    @Nullable Object next;
    long since = -1;
    boolean said;
  }

  private final Sched sched;
  private final TraceSession traces;
  private final @Nullable LastProgress[] seen = new LastProgress[SchedConfig.MAX_PROCS];
  private final LastProgress global = new LastProgress();

  StallDetector(Sched sched, TraceSession traces) {
    this.sched = sched;
    this.traces = traces;
  }

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
