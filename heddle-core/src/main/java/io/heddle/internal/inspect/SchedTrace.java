package io.heddle.internal.inspect;

import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A line about a scheduler every so often, Go's {@code GODEBUG=schedtrace}: its fields, in its order.
 *
 * <p>On a thread of its own, so that an output that blocks holds up nobody else. It ends with the scheduler.
 */
public final class SchedTrace {
  /*
   * Differences from Go: there is no needspinning, which is always 0 (see Sched); threads are the Ms alone, while Go counts
   * its monitor; no lock is held, so the figures of one line are of moments that follow each other.
   */

  /** So that it does not outlive its scheduler for long. */
  private static final long LONGEST_SLEEP = 100_000_000;

  private final Sched sched;
  private final long pause;
  private final String end;
  private final PrintStream out;

  private SchedTrace(Sched sched, int millis, String end, PrintStream out) {
    this.sched = sched;
    this.pause = TimeUnit.MILLISECONDS.toNanos(millis);
    this.end = end;
    this.out = out;
  }

  /** On standard error as it is now; {@code end} closes each line, and tells several schedulers apart. */
  public static void start(Sched sched, int millis, String end) {
    SchedTrace trace = new SchedTrace(sched, millis, end, System.err);
    DaemonThreads.start("heddle-" + sched.name() + "-schedtrace", trace::run);
  }

  private void run() {
    long start = System.nanoTime();
    long next = start;
    while (!sched.closing().isOver()) {
      out.println(line(System.nanoTime() - start));
      next = Math.max(next + pause, System.nanoTime()); // after a hold-up, not all lines at once
      sleepUntil(next);
    }
  }

  private void sleepUntil(long time) {
    for (long left; (left = time - System.nanoTime()) > 0 && !sched.closing().isOver(); ) {
      LockSupport.parkNanos(this, Math.min(left, LONGEST_SLEEP));
    }
  }

  String line(long nanos) {
    SchedCounters counters = SchedCounters.of(sched);
    StringBuilder line = new StringBuilder(200);
    line.append("SCHED ").append(TimeUnit.NANOSECONDS.toMillis(nanos)).append("ms:");
    line.append(" gomaxprocs=").append(sched.procs());
    line.append(" idleprocs=").append(counters.idleProcs());
    line.append(" threads=").append(counters.threads());
    line.append(" spinningthreads=").append(counters.spinningThreads());
    line.append(" needspinning=0");
    line.append(" idlethreads=").append(counters.idleThreads());
    line.append(" runqueue=").append(counters.globalQueue());
    line.append(" [ ");
    for (int length : counters.rings()) {
      line.append(length).append(' ');
    }
    line.append("] schedticks=[ ");
    for (long ticks : counters.ticks()) {
      line.append(ticks).append(' ');
    }
    return line.append(']').append(end).toString();
  }
}
