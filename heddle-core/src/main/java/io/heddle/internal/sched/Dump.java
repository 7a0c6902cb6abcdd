package io.heddle.internal.sched;

import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Writes all goroutines down, each as Go would: {@code goroutine 7 [park (Semaphore), 3 minutes]:} and its stack. */
final class Dump {
  private final Sched sched;

  Dump(Sched sched) {
    this.sched = sched;
  }

  String text() {
    Set<G> all = new TreeSet<>(Comparator.comparingLong(G::id));
    sched.books.forEach(all::add);
    StringBuilder out = new StringBuilder();
    out.append("scheduler ").append(sched.name()).append(": ").append(all.size());
    out.append(all.size() == 1 ? " goroutine" : " goroutines");
    out.append(", procs=").append(sched.procs());
    out.append(" idleprocs=").append(sched.books.idleProcs());
    out.append(" threads=").append(sched.books.threads());
    out.append(" idlethreads=").append(sched.books.idleThreads());
    out.append(" runqueue=").append(sched.books.globalQueue()).append('\n');
    for (G g : all) {
      write(g, out);
    }
    return out.toString();
  }

  private static void write(G g, StringBuilder out) {
    out.append("\ngoroutine ").append(g.id());
    String name = g.thread().getName();
    if (!name.isEmpty()) {
      out.append(" \"").append(name).append('"');
    }
    out.append(" [").append(status(g)).append("]:\n");
    for (StackTraceElement frame : g.thread().getStackTrace()) {
      out.append("\tat ").append(frame).append('\n');
    }
    out.append(g.createdBy());
  }

  private static String status(G g) {
    GoroutineState state = g.goroutineState();
    if (state != GoroutineState.WAITING) {
      return state.word();
    }
    String reason = g.reason();
    long minutes = TimeUnit.NANOSECONDS.toMinutes(Sysmon.since(g.lastRun));
    return (reason.isEmpty() ? state.word() : reason) + age(minutes);
  }

  private static String age(long minutes) {
    if (minutes < 1) {
      return "";
    }
    return minutes == 1 ? ", 1 minute" : ", " + minutes + " minutes";
  }
}
