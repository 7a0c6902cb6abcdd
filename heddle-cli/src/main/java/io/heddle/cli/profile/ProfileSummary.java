package io.heddle.cli.profile;

import io.heddle.ProfiledStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A profile as lines for the terminal: the time by state, by place and by label. */
public final class ProfileSummary {
  private static final int MAX_LINES = 15;

  private ProfileSummary() {}

  /** Returns the lines. */
  public static List<String> of(WallProfile profile) {
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "process %d, %d s: %.1f goroutines on average",
            profile.pid(), profile.seconds(), profile.nanos() / 1e9 / profile.seconds()));
    section(lines, "state", profile, stack -> List.of(stack.seen().state()));
    section(
        lines,
        "state, and the innermost frame that is not of the JDK or of Heddle",
        profile,
        stack -> List.of(text("%-20s %s", stack.seen().state(), place(stack.seen()))));
    section(
        lines,
        "label",
        profile,
        stack ->
            stack.seen().labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .toList());
    return lines;
  }

  private static void section(
      List<String> lines,
      String title,
      WallProfile profile,
      Function<WallProfile.Stack, List<String>> keys) {
    Map<String, Long> sums = new HashMap<>();
    for (WallProfile.Stack stack : profile.stacks()) {
      keys.apply(stack).forEach(key -> sums.merge(key, stack.seen().nanos(), Long::sum));
    }
    if (sums.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(text("%12s %7s  by %s", "goroutines", "share", title));
    sums.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
        .limit(MAX_LINES)
        .forEach(
            sum ->
                lines.add(
                    text(
                        "%12.2f %6.1f%%  %s",
                        sum.getValue() / 1e9 / profile.seconds(),
                        100.0 * sum.getValue() / Math.max(1, profile.nanos()),
                        sum.getKey())));
    if (sums.size() > MAX_LINES) {
      lines.add(text("%22s and %d more", "", sums.size() - MAX_LINES));
    }
  }

  private static String place(ProfiledStack seen) {
    return seen.frames().stream()
        .filter(frame -> !isRuntime(frame))
        .findFirst()
        .orElse(seen.site().isEmpty() ? "(no frame of the program)" : "created by " + seen.site());
  }

  private static boolean isRuntime(String frame) {
    return List.of("java.", "jdk.", "sun.", "io.heddle.").stream().anyMatch(frame::startsWith);
  }

  private static String text(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
