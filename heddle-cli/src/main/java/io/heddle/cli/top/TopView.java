package io.heddle.cli.top;

import io.heddle.ContainerMXBean;
import io.heddle.CpuUsage;
import io.heddle.HandOffPlace;
import io.heddle.LimitStats;
import io.heddle.OverloadStats;
import io.heddle.SchedulerMXBean.Proc;
import io.heddle.Stats;
import io.heddle.cli.screen.Screen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Formats readings as text of at most 80 columns. */
final class TopView {
  private static final int BAR = 30;

  /** Further Ps and states are only counted, because more lines do not fit on a screen. */
  private static final int MOST_PROCS = 16;

  private static final int MOST_STATES = 12;

  private static final int MOST_SHARES = 8;

  /** Less CPU time than this is not shown. */
  private static final long MIN_CPU_NANOS = 1_000_000;

  private final Screen screen;

  TopView(Screen screen) {
    this.screen = screen;
  }

  /** The lines of one scheduler. */
  List<String> lines(SchedulerReading before, SchedulerReading now) {
    List<String> lines = new ArrayList<>();
    Stats s = now.stats();
    lines.add(screen.bold("scheduler " + now.name()));
    lines.add(
        text(
            "  %,d goroutines   Ps %d (%d idle)   Ms %d (%d idle, %d spinning)   queue %,d",
            s.goroutines(),
            s.procs(),
            s.idleProcs(),
            s.threads(),
            s.idleThreads(),
            s.spinningThreads(),
            s.globalQueue()));
    lines.add(
        text(
            "  per second: started %,d  ended %,d  switches %,d  steals %,d",
            now.rate(before, Stats::started),
            now.rate(before, Stats::finished),
            now.rate(before, Stats::switches),
            now.rate(before, Stats::steals)));
    lines.add(
        text(
            "              hand-offs %,d  preempted %,d  thread parks %,d  timers %,d",
            now.rate(before, Stats::handoffs),
            now.rate(before, Stats::preemptions),
            now.rate(before, Stats::threadParks),
            now.rate(before, Stats::timersFired)));
    addOverload(lines, before, now);
    addLimits(lines, now.limits());
    addProcs(lines, now.procs());
    addStates(lines, now);
    addCpu(lines, "creation site", before, now, CpuUsage::bySite);
    addCpu(lines, "label", before, now, CpuUsage::byLabel);
    addPlaces(lines, now);
    return lines;
  }

  /** One line for one scheduler, for a log file. */
  String line(SchedulerReading before, SchedulerReading now) {
    Stats s = now.stats();
    return text(
        "%s goroutines=%d procs=%d idleprocs=%d threads=%d idlethreads=%d runqueue=%d %s"
            + " started/s=%d switches/s=%d steals/s=%d handoffs/s=%d %s",
        now.name(),
        s.goroutines(),
        s.procs(),
        s.idleProcs(),
        s.threads(),
        s.idleThreads(),
        s.globalQueue(),
        Arrays.toString(s.localQueues()),
        now.rate(before, Stats::started),
        now.rate(before, Stats::switches),
        now.rate(before, Stats::steals),
        now.rate(before, Stats::handoffs),
        mostFirst(now).stream()
            .map(state -> state.getKey().replace(' ', '_') + "=" + state.getValue())
            .collect(Collectors.joining(" ")));
  }

  /** What the container allows the process; none if it has no limit and never stood still. */
  static List<String> container(ContainerMXBean container) {
    double cpus = container.getCpus();
    long megabytes = container.getMemoryBytes() >> 20;
    double throttled = container.getThrottledSeconds();
    if (cpus == 0 && megabytes == 0 && throttled == 0) {
      return List.of();
    }
    return List.of(
        text(
            "container: %s, %s; its CPUs stood still for %.1f s",
            cpus == 0 ? "no CPU limit" : text("%.1f CPUs", cpus),
            megabytes == 0 ? "no memory limit" : text("%,d MB", megabytes),
            throttled));
  }

  private static void addOverload(
      List<String> lines, SchedulerReading before, SchedulerReading now) {
    OverloadStats overload = now.overload();
    if (overload.targetNanos() > 0) {
      lines.add(
          text(
              "  overload: wait %.1f ms, allowed %.1f; per second admitted %,d  refused %,d",
              overload.delayNanos() / 1e6,
              overload.targetNanos() / 1e6,
              now.rateOf(before, reading -> reading.overload().admitted()),
              now.rateOf(before, reading -> reading.overload().shed())));
    }
  }

  private static void addLimits(List<String> lines, List<LimitStats> limits) {
    if (!limits.isEmpty()) {
      lines.add("  limits: running, of at most, waiting; in all: started, refused, by the caller");
    }
    for (LimitStats limit : limits) {
      lines.add(
          text(
              "  %,7d %,7d %,7d  %,11d %,9d %,9d  %s",
              limit.running(),
              limit.max(),
              limit.waiting(),
              limit.started(),
              limit.rejected(),
              limit.ranInCaller(),
              end(limit.name(), 18)));
    }
  }

  private void addProcs(List<String> lines, List<Proc> procs) {
    int most = Math.max(8, procs.stream().mapToInt(Proc::queued).max().orElse(0));
    lines.add("  Ps: what each runs, and its queue; the longest queue has the longest bar");
    for (Proc p : procs.subList(0, Math.min(MOST_PROCS, procs.size()))) {
      String what =
          p.goroutine() == 0
              ? p.state()
              : text("goroutine %d on %s", p.goroutine(), p.thread().replaceAll(".*-", ""));
      String bar = screen.bar(p.queued(), most, BAR);
      lines.add(text("  P%-4d %-28s %s %,d", p.number(), what, bar, p.queued()));
    }
    if (procs.size() > MOST_PROCS) {
      lines.add(text("  and %d more Ps", procs.size() - MOST_PROCS));
    }
  }

  private void addStates(List<String> lines, SchedulerReading now) {
    List<Map.Entry<String, Integer>> states = mostFirst(now);
    lines.add("  goroutines by state; a full bar is all goroutines");
    for (Map.Entry<String, Integer> state :
        states.subList(0, Math.min(MOST_STATES, states.size()))) {
      String bar = screen.bar(state.getValue(), now.stats().goroutines(), BAR);
      lines.add(text("  %-34.34s %s %,d", state.getKey(), bar, state.getValue()));
    }
    if (states.size() > MOST_STATES) {
      lines.add(text("  and %d more reasons to wait", states.size() - MOST_STATES));
    }
  }

  /** The CPU time between the two readings, the largest first, and in all. */
  private static void addCpu(
      List<String> lines,
      String title,
      SchedulerReading before,
      SchedulerReading now,
      Function<CpuUsage, List<CpuUsage.Share>> shares) {
    List<CpuUsage.Share> old = shares.apply(before.cpu());
    ToDoubleFunction<CpuUsage.Share> cpus = share -> now.cpus(share, old, before.nanos());
    List<CpuUsage.Share> most =
        shares.apply(now.cpu()).stream()
            .filter(share -> share.nanos() >= MIN_CPU_NANOS)
            .sorted(Comparator.comparingDouble(cpus).reversed())
            .limit(MOST_SHARES)
            .toList();
    if (most.isEmpty()) {
      return;
    }
    String kind = now.cpu().exact() ? "exact" : "sampled";
    lines.add(text("  CPUs used now, and CPU seconds in all, by %s (%s)", title, kind));
    for (CpuUsage.Share share : most) {
      lines.add(
          text(
              "  %5.2f %10.3f s  %s",
              cpus.applyAsDouble(share), share.nanos() / 1e9, end(share.by(), 58)));
    }
  }

  private static void addPlaces(List<String> lines, SchedulerReading now) {
    if (!now.places().isEmpty()) {
      lines.add("  places that lost their P most often");
    }
    for (HandOffPlace place : now.places()) {
      lines.add(text("  %,9d  %-9s  %s", place.count(), place.reason(), end(place.place(), 56)));
    }
  }

  /** The end of a place, which says more than its beginning, in at most {@code length} columns. */
  private static String end(String place, int length) {
    return place.length() <= length ? place : "…" + place.substring(place.length() - length + 1);
  }

  private static List<Map.Entry<String, Integer>> mostFirst(SchedulerReading now) {
    Comparator<Map.Entry<String, Integer>> byCount = Map.Entry.comparingByValue();
    return now.states().entrySet().stream().sorted(byCount.reversed()).toList();
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
