package io.heddle.internal.inspect;

import io.heddle.internal.sched.P;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedConfig;
import io.heddle.internal.sched.SchedCounters;
import org.jspecify.annotations.Nullable;

/** Notices that a goroutine could run and does not for a second, for the flight recorder. The monitor's own. */
final class StallDetector {
  /*
   * A queue whose head stays the same has somebody in it who waits. What is looked at: of a P, how many were taken from
   * the ring, and who is next; of the global queue, whether anything at all is run. It says so once, and again when that
   * queue has moved since.
   */
  private static final long LIMIT = 1_000_000_000L;

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
    } else if (!s.said && now - s.since > LIMIT) {
      s.said = true;
      Thread.ofPlatform().daemon().name("heddle-flight").start(this::say); // it takes a while
    }
  }

  private void say() {
    String written = traces.dumpFlight();
    if (written != null) {
      sched.logNow("a goroutine has been ready for a second, and does not run: " + written);
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
