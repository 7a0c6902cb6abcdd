package io.heddle.internal.inspect;

import io.heddle.internal.sched.Sched;
import java.util.List;

/** The part of a dump that names goroutines that can never continue. */
final class StuckText {
  private StuckText() {}

  /**
   * Returns the deadlocks that exist now, and the leaks that the last check has found. Empty if
   * there are none, or if they cannot be looked for now.
   */
  static String of(Sched sched) {
    if (sched.isDriven() || !(sched.listener() instanceof Inspector inspector)) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    try {
      StuckChecks.deadlocked(sched, StuckChecks.MIN_WAIT_NANOS).forEach(c -> cycle(c, out));
    } catch (OutOfMemoryError e) {
      // No thread can be started for the check. The rest of the dump is more important.
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
