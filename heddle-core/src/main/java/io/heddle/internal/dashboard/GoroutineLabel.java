package io.heddle.internal.dashboard;

import io.heddle.internal.sched.G;

/** What goroutines of one kind have in common: their name up to a number at its end, or else the place of their start. */
final class GoroutineLabel {
  private static final String NOTHING_KNOWN = "virtual thread";

  private GoroutineLabel() {}

  /** Names may be as long as a program likes. */
  private static final int LONGEST = 60;

  static String of(G g) {
    String label = wholeOf(g);
    return label.length() <= LONGEST ? label : label.substring(0, LONGEST) + "…";
  }

  private static String wholeOf(G g) {
    String name = g.thread().getName();
    int end = name.length();
    while (end > 0 && isNumbering(name.charAt(end - 1))) {
      end--;
    }
    if (end > 0) {
      return name.substring(0, end);
    }
    StackTraceElement site = g.site();
    if (site == null) {
      return name.isEmpty() ? NOTHING_KNOWN : name;
    }
    return site.getFileName() == null
        ? site.getClassName()
        : site.getFileName() + ":" + site.getLineNumber();
  }

  private static boolean isNumbering(char c) {
    return Character.isDigit(c) || c == '-' || c == '#' || c == '_' || c == ' ';
  }
}
