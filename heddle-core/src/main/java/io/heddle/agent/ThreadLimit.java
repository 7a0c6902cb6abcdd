package io.heddle.agent;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.admit.Gates;
import io.heddle.internal.base.InvalidSettingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The largest number of adopted threads of one pattern that run at a time, and how long the start
 * of a further thread waits: {@code limit=tomcat-*:200(reject)}.
 *
 * @param pattern the names of the threads, or of the classes that make them
 * @param max the largest number of threads, 1 or more
 * @param waitNanos how long a start waits before it is refused; {@link Gate#FOREVER} if it waits
 *     without a time limit
 */
record ThreadLimit(Filter pattern, int max, long waitNanos) {
  private static final Pattern SYNTAX =
      Pattern.compile("([^:]+):(\\d{1,9})(?:\\((block|reject)(?:,(\\d{1,9})(us|ms|s))?\\))?");
  private static final String ALLOWED =
      "allowed is PATTERN:N, PATTERN:N(block), PATTERN:N(reject) or, with a deadline,"
          + " PATTERN:N(block,500ms), where N is 1 or more; a thread cannot run in its caller";

  /**
   * Parses one part of the option {@code limit}.
   *
   * @throws InvalidSettingException if the text is invalid
   */
  static ThreadLimit parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) == 0) {
      throw new InvalidSettingException("limit=" + text.strip() + ": " + ALLOWED);
    }
    Filter pattern = Filter.of(Options.pattern("limit", matcher.group(1)));
    return new ThreadLimit(pattern, Integer.parseInt(matcher.group(2)), waitNanos(matcher));
  }

  private static long waitNanos(Matcher matcher) {
    if (matcher.group(4) != null) {
      return Tenant.duration(matcher.group(4), matcher.group(5)).toNanos();
    }
    return "reject".equals(matcher.group(3)) ? 0 : Gate.FOREVER;
  }

  Gate openIn(Gates gates) {
    return gates.open(pattern.patterns().getFirst(), max, Gate.WhenFull.REJECT, waitNanos);
  }
}
