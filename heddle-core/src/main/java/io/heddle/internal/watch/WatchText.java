package io.heddle.internal.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A {@link WatchReport} as lines of text. */
public final class WatchText {
  /** Tells the user how the other virtual threads can run while carriers are held. */
  static final String NEXT_STEP =
      "-javaagent:heddle.jar=adopt instead of =watch lets the others run meanwhile";

  private static final int MOST_HOLDERS = 10;
  private static final int MOST_FRAMES = 12;

  private WatchText() {}

  /** Returns the text, with a line break at its end. */
  public static String of(WatchReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("heddle watch: " + head(report));
    lines.add("  waits for a carrier: " + waits(report.waits()));
    lines.add("  " + starvations(report));
    if (!report.holders().isEmpty()) {
      lines.add("  what held the carriers meanwhile:");
    }
    report.holders().stream().limit(MOST_HOLDERS).forEach(holder -> add(report, holder, lines));
    if (report.holders().size() > MOST_HOLDERS) {
      lines.add("    and " + (report.holders().size() - MOST_HOLDERS) + " more places");
    }
    if (!report.waiters().isEmpty()) {
      lines.add("  which threads waited:");
    }
    for (WatchReport.WaitingThreads waiters :
        report.waiters().stream().limit(MOST_HOLDERS).toList()) {
      lines.add(
          "    %,d × %s, one for at least %s"
              .formatted(waiters.threads(), waiters.name(), time(waiters.longest())));
    }
    if (!report.holders().isEmpty()) {
      lines.add("  " + NEXT_STEP);
    }
    return String.join("\n", lines) + "\n";
  }

  /** Returns what was watched, and for how long. */
  static String head(WatchReport report) {
    String late =
        report.lateLooks() == 0
            ? ""
            : "; %,d looks came late: the machine or the JVM stood still"
                .formatted(report.lateLooks());
    return "the JDK's scheduler, %d carriers, for %s, asked every %s%s"
        .formatted(report.carriers(), time(report.elapsed()), time(report.interval()), late);
  }

  private static String waits(WatchReport.Waits waits) {
    return "p50 %s, p90 %s, p99 %s, p99.9 %s, longest %s"
        .formatted(
            time(waits.p50()),
            time(waits.p90()),
            time(waits.p99()),
            time(waits.p999()),
            time(waits.longest()));
  }

  /** Returns how often and how long no carrier was free. */
  static String starvations(WatchReport report) {
    if (report.starvations() == 0 && report.holders().isEmpty()) {
      return "a carrier was always free within " + time(report.interval());
    }
    String times = report.starvations() == 1 ? "once" : "%,d times".formatted(report.starvations());
    return "no carrier was free for more than %s: %s, %s in all (%.2f %% of the time); up to %,d threads waited"
        .formatted(
            time(report.interval()),
            times,
            time(report.starved()),
            100.0 * report.starved() / Math.max(1, report.elapsed()),
            report.mostQueued());
  }

  private static void add(WatchReport report, WatchReport.HeldPlace holder, List<String> lines) {
    lines.add(
        "    %s (%.0f %%) %s at %s"
            .formatted(time(holder.held()), share(report, holder), holder.kind(), holder.place()));
    lines.add("      " + thread(holder) + ", in " + holder.samples() + " samples");
    holder.stack().stream().limit(MOST_FRAMES).forEach(frame -> lines.add("        at " + frame));
    if (holder.stack().size() > MOST_FRAMES) {
      lines.add("        ... " + (holder.stack().size() - MOST_FRAMES) + " more");
    }
  }

  /**
   * Returns the name of a thread that was found at the place of {@code holder}, as text for the
   * user.
   */
  static String thread(WatchReport.HeldPlace holder) {
    return holder.thread().isEmpty()
        ? "a thread without a name"
        : "thread \"" + holder.thread() + "\"";
  }

  /**
   * Returns the share of {@code holder} in the time for which carriers were held at all places, in
   * per cent.
   */
  static double share(WatchReport report, WatchReport.HeldPlace holder) {
    return 100.0 * holder.held() / Math.max(1, report.held());
  }

  /** Returns a time with a unit that fits it. */
  static String time(long nanos) {
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%d µs", nanos / 1_000);
    }
    if (nanos < 10_000_000) {
      return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
    if (nanos < 1_000_000_000) {
      return String.format(Locale.ROOT, "%d ms", nanos / 1_000_000);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
    return seconds < 60
        ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9)
        : String.format(Locale.ROOT, "%d min %d s", seconds / 60, seconds % 60);
  }
}
