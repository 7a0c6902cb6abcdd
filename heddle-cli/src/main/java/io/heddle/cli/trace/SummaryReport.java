package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the totals of a trace as lines of text. */
public final class SummaryReport {
  private static final int SHARES = 20;
  private static final int BAR = 40;

  private final TraceStatistics figures = new TraceStatistics();
  private final List<String> lines = new ArrayList<>();

  private SummaryReport() {}

  /** Returns the summary of {@code data}, line by line. */
  public static List<String> of(TraceData data) {
    SummaryReport summary = new SummaryReport();
    TraceReplay.replay(data, summary.figures);
    summary.write(data);
    return summary.lines;
  }

  private void write(TraceData data) {
    lines.add(
        "%,d events in %s%s%s"
            .formatted(
                figures.events(),
                time(figures.to - figures.from),
                figures.from == 0 ? "" : ", from %s on".formatted(time(figures.from)),
                figures.lost == 0 ? "" : ", %,d lost".formatted(figures.lost)));
    data.notes().forEach(note -> lines.add("note: " + note));
    shares();
    data.schedulers().forEach(scheduler -> cpu(data, scheduler));
    latency();
    waits("Longest waits", figures.longestWaits());
    waits("Longest times runnable but not running", figures.longestReady());
    ps();
    kinds();
  }

  private void shares() {
    lines.add("");
    lines.add("Goroutines by name and by where they were started");
    lines.add(
        "  %10s %10s %10s %10s  %s"
            .formatted("count", "running", "without P", "runnable", "family"));
    List<TraceStatistics.FamilyTotals> shares = figures.shares();
    shares.stream().limit(SHARES).forEach(this::share);
    if (shares.size() > SHARES) {
      lines.add("  and %,d more families".formatted(shares.size() - SHARES));
    }
  }

  private void share(TraceStatistics.FamilyTotals share) {
    lines.add(
        "  %,10d %10s %10s %10s  %s"
            .formatted(
                share.goroutines.size(),
                time(share.running),
                time(share.withoutP),
                time(share.runnable),
                share.family));
    share
        .waits()
        .forEach(e -> lines.add("  %43s  waiting: %s".formatted(time(e.getValue()), e.getKey())));
  }

  /** The CPU time, which includes that before a selected range of times, and after it. */
  private void cpu(TraceData data, TraceScheduler scheduler) {
    String of = data.schedulers().size() == 1 ? "" : " of " + scheduler.name;
    String how = scheduler.isCpuExact ? "exact" : "sampled";
    for (boolean isLabel : new boolean[] {false, true}) {
      List<TraceScheduler.CpuUse> uses =
          scheduler.cpu.stream().filter(use -> use.isLabel() == isLabel).limit(SHARES).toList();
      if (!uses.isEmpty()) {
        String by = isLabel ? "label" : "creation site";
        lines.add("");
        lines.add("CPU time%s by %s in the whole trace, %s".formatted(of, by, how));
        uses.forEach(use -> lines.add("  %10s  %s".formatted(time(use.nanos()), use.by())));
      }
    }
  }

  private void latency() {
    long[] latencies = figures.latencies;
    long all = 0;
    long most = 1;
    int low = -1;
    int high = 0;
    for (int i = 0; i < latencies.length; i++) {
      all += latencies[i];
      most = Math.max(most, latencies[i]);
      if (latencies[i] > 0) {
        low = low < 0 ? i : low;
        high = i;
      }
    }
    lines.add("");
    lines.add("Scheduling latency: from ready to running, %,d times".formatted(all));
    for (int i = low; low >= 0 && i <= high; i++) {
      String bar = "#".repeat((int) Math.ceil((double) BAR * latencies[i] / most));
      lines.add("  < %8s %,12d  %s".formatted(time(1L << Math.min(i + 1, 62)), latencies[i], bar));
    }
  }

  private void waits(String title, List<TraceStatistics.WaitSpan> waits) {
    lines.add("");
    lines.add(title);
    for (TraceStatistics.WaitSpan w : waits) {
      lines.add(
          "  %10s  at %-10s %s: goroutine %d %s"
              .formatted(time(w.nanos()), time(w.from()), w.what(), w.g().id, w.g().label()));
    }
  }

  private void ps() {
    long nanos = figures.to - figures.from;
    lines.add("");
    lines.add("Ps: share of the time in which they ran a goroutine");
    figures.busy.forEach(
        (p, time) ->
            lines.add("  %-16s %5.1f %%".formatted(p, nanos == 0 ? 0 : 100.0 * time / nanos)));
  }

  private void kinds() {
    lines.add("");
    lines.add("Events");
    figures.counts.forEach(
        (kind, n) -> lines.add("  %-10s %,14d".formatted(kind.name().toLowerCase(Locale.ROOT), n)));
  }

  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return "%.1f us".formatted(nanos / 1e3);
    }
    return nanos < 1_000_000_000
        ? "%.1f ms".formatted(nanos / 1e6)
        : "%.2f s".formatted(nanos / 1e9);
  }
}
