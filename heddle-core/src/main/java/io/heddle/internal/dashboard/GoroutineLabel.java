package io.heddle.internal.dashboard;

import io.heddle.internal.sched.G;

/**
 * The label by which the page groups and colours goroutines of the same kind: the name without a
 * number at its end. If the name is empty or only a number, the label is the creation site. If that
 * is not known either, the label is the name, or {@code virtual thread} if there is no name.
 */
final class GoroutineLabel {
  private static final String NOTHING_KNOWN = "virtual thread";

  private GoroutineLabel() {}

  /** The largest number of characters of a label. A longer label is truncated. */
  private static final int MAX_LENGTH = 60;

  static String of(G g) {
    String label = wholeOf(g);
    return label.length() <= MAX_LENGTH ? label : label.substring(0, MAX_LENGTH) + "…";
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
