package io.heddle.internal.inspect;

import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sched;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Logs once per place in the program, at debug level, that a goroutine there lost its P. Used by
 * sysmon's thread alone.
 */
final class HandOffLog {
  /** How many places are logged at most, so that the log and the set of places stay small. */
  private static final int MAX_PLACES = 1_000;

  private static final int MAX_FRAMES = 8;

  private final Sched sched;
  private final Set<String> told = new HashSet<>();

  HandOffLog(Sched sched) {
    this.sched = sched;
  }

  void note(HandOff.Reason reason, M m, @Nullable G g) {
    if (g != null && JfrEvents.wantsHandOffs()) {
      tell(reason, g);
    }
    if (g == null || told.size() >= MAX_PLACES || !isWanted()) {
      return;
    }
    StackTraceElement[] stack = g.thread().getStackTrace();
    if (stack.length > 0 && told.add(reason + " " + site(stack))) {
      sched.debug(text(reason, m, g, stack));
    }
  }

  private void tell(HandOff.Reason reason, G g) {
    StackTraceElement[] stack = g.thread().getStackTrace();
    Object site = stack.length == 0 ? "" : site(stack);
    JfrEvents.handedOff(sched.name(), g.id(), word(reason), site);
  }

  private static String word(HandOff.Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether the user's logger logs at debug level. If not, the stacks are not read, because reading
   * them is slow.
   */
  private static boolean isWanted() {
    return System.getLogger("io.heddle").isLoggable(System.Logger.Level.DEBUG);
  }

  /** Returns the first frame that is not in {@code java.base}, or else the top frame. */
  private static StackTraceElement site(StackTraceElement[] stack) {
    return Stream.of(stack)
        .filter(frame -> !"java.base".equals(frame.getModuleName()))
        .findFirst()
        .orElse(stack[0]);
  }

  private static String text(HandOff.Reason reason, M m, G g, StackTraceElement[] stack) {
    StringBuilder out = new StringBuilder();
    out.append("goroutine ").append(g.id()).append(" lost its P: ");
    out.append(word(reason)).append(" at ").append(site(stack));
    append(out, "\ngoroutine:", stack);
    append(out, "\n" + m.getName() + ":", m.getStackTrace());
    return out.toString();
  }

  private static void append(StringBuilder out, String title, StackTraceElement[] stack) {
    out.append(title);
    Stream.of(stack).limit(MAX_FRAMES).forEach(frame -> out.append("\n\tat ").append(frame));
  }
}
