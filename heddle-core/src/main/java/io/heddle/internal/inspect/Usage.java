package io.heddle.internal.inspect;

import io.heddle.internal.sched.CpuTimes;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes what used the CPU, and what lost its P, as the sections at the end of a dump. Also writes
 * the line about CPU time and labels in the entry of each goroutine.
 */
final class Usage {
  /** How many lines a section has at most. */
  private static final int MAX_LINES = 10;

  /** CPU times below this one are not shown. */
  private static final long MIN_NANOS = 1_000_000;

  private Usage() {}

  /** Returns the sections of {@code sched} that are not empty, each after an empty line. */
  static String of(Sched sched) {
    CpuTimes times = Inspector.of(sched).cpuTimes();
    String kind = times.isExact() ? "exact" : "sampled";
    StringBuilder out = new StringBuilder();
    section(out, "CPU time by creation site, " + kind, cpu(times.bySite()));
    section(out, "CPU time by label, " + kind, cpu(times.byLabel()));
    section(out, "Places that lost their P most often", places(sched));
    return out.toString();
  }

  /**
   * Returns the line about CPU time and labels in a goroutine's own entry of a dump. Returns an
   * empty string if there are no labels and the CPU time is below {@link #MIN_NANOS}.
   */
  static String of(String labels, long cpuNanos) {
    List<String> parts = new ArrayList<>();
    if (cpuNanos >= MIN_NANOS) {
      parts.add("CPU time " + seconds(cpuNanos));
    }
    if (!labels.isEmpty()) {
      parts.add("labels " + labels);
    }
    return parts.isEmpty() ? "" : String.join(", ", parts) + "\n";
  }

  private static List<String> cpu(List<CpuTimes.Use> uses) {
    return uses.stream()
        .filter(use -> use.nanos() >= MIN_NANOS)
        .map(use -> "%12s  %s".formatted(seconds(use.nanos()), use.by()))
        .toList();
  }

  private static List<String> places(Sched sched) {
    return Inspector.of(sched).handOffs().most(MAX_LINES).stream()
        .map(place -> "%12d  %-9s  %s".formatted(place.count(), place.reason(), place.site()))
        .toList();
  }

  private static void section(StringBuilder out, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      out.append('\n').append(title).append(":\n");
      lines.stream().limit(MAX_LINES).forEach(line -> out.append(line).append('\n'));
    }
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }
}
