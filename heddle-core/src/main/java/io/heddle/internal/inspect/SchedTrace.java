package io.heddle.internal.inspect;

import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints a line of figures about a scheduler at regular intervals, with the fields and the order of
 * Go's {@code GODEBUG=schedtrace}.
 *
 * <p>A separate thread prints the lines, because the output may block. The thread ends with the
 * scheduler.
 */
public final class SchedTrace {
  /*
   * Differences from Go: needspinning is always 0, because the scheduler has no such flag (see
   * Sched). threads counts only the Ms; Go also counts sysmon. No lock is held, so the figures of
   * one line are read one after the other.
   *
   * Checked by: SchedTraceTest.
   */

  /** The longest sleep of the printing thread, so that it ends soon after its scheduler. */
  private static final long MAX_SLEEP_NANOS = 100_000_000;

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

  /**
   * Starts a thread that prints to standard error, as it is set now.
   *
   * @param end the end of each line, which distinguishes several schedulers
   */
  public static void start(Sched sched, int millis, String end) {
    SchedTrace trace = new SchedTrace(sched, millis, end, System.err);
    DaemonThreads.start("heddle-" + sched.name() + "-schedtrace", trace::run);
  }

  private void run() {
    long start = System.nanoTime();
    long next = start;
    while (!sched.closing().isOver()) {
      out.println(line(System.nanoTime() - start));
      next = Math.max(next + pause, System.nanoTime()); // lines missed in a delay are left out
      sleepUntil(next);
    }
  }

  private void sleepUntil(long time) {
    for (long left; (left = time - System.nanoTime()) > 0 && !sched.closing().isOver(); ) {
      LockSupport.parkNanos(this, Math.min(left, MAX_SLEEP_NANOS));
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
