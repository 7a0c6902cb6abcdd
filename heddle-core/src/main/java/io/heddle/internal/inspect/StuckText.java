package io.heddle.internal.inspect;

import io.heddle.internal.sched.Sched;
import java.util.List;

/** The part of a dump that names goroutines that can never continue. */
final class StuckText {
  private StuckText() {}

  /**
   * Returns the deadlocks that exist now, and the leaks that the last check has found. Empty if
   * there are none. If the check for deadlocks fails, a line says why.
   */
  static String of(Sched sched) {
    if (sched.isDriven() || !(sched.listener() instanceof Inspector inspector)) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    try {
      StuckChecks.deadlocked(sched, StuckChecks.MIN_WAIT_NANOS).forEach(c -> cycle(c, out));
    } catch (RuntimeException | OutOfMemoryError e) {
      // No thread can be started for the check, a logger of the program has failed, or the JDK has
      // failed to describe a wait. The rest of the dump is more important.
      out.append("\nthe check for deadlocks failed: ").append(e).append('\n');
    }
    List<StuckReport> leaked = inspector.checks().leaked();
    if (!leaked.isEmpty()) {
      out.append("\nleaked goroutines, found ").append(inspector.checks().leaksAgeSeconds());
      out.append(" seconds ago:\n");
      leaked.forEach(g -> out.append('\t').append(g.title()).append('\n'));
    }
    return out.toString();
  }

  private static void cycle(List<StuckReport> cycle, StringBuilder out) {
    out.append("\ndeadlocked goroutines:\n");
    for (StuckReport g : cycle) {
      out.append('\t').append(g.title()).append(" waits for ").append(g.holder()).append('\n');
    }
  }
}
