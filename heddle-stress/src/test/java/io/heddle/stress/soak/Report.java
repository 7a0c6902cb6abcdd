package io.heddle.stress.soak;

import io.heddle.Scheduler;
import io.heddle.Stats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Formats the result of a run as Markdown. */
final class Report {
  private final StringBuilder out = new StringBuilder();

  private Report() {}

  static void write(World world, Monitor monitor, List<Long> heap, Descriptors descriptors) {
    Report report = new Report();
    report.head(world, monitor);
    report.kinds(world.tally);
    report.waits(world.tally);
    report.schedulers(world);
    report.leaks(heap, descriptors, monitor);
    report.failures(world.tally);
    System.out.println(report.out);
    try {
      Files.writeString(world.plan.report(), report.out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void line(String format, Object... values) {
    out.append(format.formatted(values)).append('\n');
  }

  private void head(World world, Monitor monitor) {
    line("# Soak");
    line("");
    line(
        "%,d s of wall-clock time, %,d s of CPU time, %,d s in which the process was stopped or"
            + " got no CPU; seed %d; JDK %s, %d CPUs. **%s**",
        monitor.seconds(),
        TimeUnit.NANOSECONDS.toSeconds(PatientClock.cpuTime()),
        TimeUnit.NANOSECONDS.toSeconds(world.clock.away()),
        world.plan.seed(),
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        world.tally.failures() == 0 ? "Nothing was lost." : world.tally.failures() + " failures.");
    line("");
  }

  private void kinds(Tally tally) {
    line("| work | steps | operations | failures |");
    line("|---|--:|--:|--:|");
    tally
        .kinds()
        .forEach(
            (name, kind) ->
                line(
                    "| %s | %,d | %,d | %,d |",
                    name, kind.steps.sum(), kind.operations.sum(), kind.failures.sum()));
    line("");
  }

  private void waits(Tally tally) {
    line("| time, in µs | count | 50 %% | 90 %% | 99 %% | 99.9 %% | most |");
    line("|---|--:|--:|--:|--:|--:|--:|");
    for (Tally.Wait wait : Tally.Wait.values()) {
      Histogram times = tally.waits(wait);
      line(
          "| %s | %,d | %,d | %,d | %,d | %,d | %,d |",
          wait.what,
          times.getTotalCount(),
          times.getValueAtPercentile(50) / 1000,
          times.getValueAtPercentile(90) / 1000,
          times.getValueAtPercentile(99) / 1000,
          times.getValueAtPercentile(99.9) / 1000,
          times.getMaxValue() / 1000);
    }
    line("");
  }

  private void schedulers(World world) {
    line(
        "| scheduler | goroutines started | switches | stolen | hand-offs | preemptions | timers"
            + " fired | netpolls |");
    line("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (Scheduler scheduler : world.schedulers) {
      Stats s = scheduler.stats();
      String name = scheduler.toString();
      line(
          "| %s | %,d | %,d | %,d | %,d | %,d | %,d | %,d |",
          name.substring(name.indexOf('[') + 1, name.indexOf(',')),
          s.started(),
          s.switches(),
          s.stolen(),
          s.handoffs(),
          s.preemptions(),
          s.timersFired(),
          s.netpolls());
    }
    line("");
  }

  private void leaks(List<Long> heap, Descriptors descriptors, Monitor monitor) {
    line("Rounds that ended at rest: %d. Ms at most: %d.", heap.size(), monitor.mostThreads());
    if (!heap.isEmpty()) {
      line(
          "Heap after a collection: %s. Descriptors: %s.", Quarters.of(heap), descriptors.byKind());
    }
    line("");
  }

  private void failures(Tally tally) {
    tally.kept().forEach(text -> line("- %s", text));
  }
}
