package io.heddle.cli.demo;

import io.heddle.Scheduler;
import io.heddle.cli.screen.Screen;
import java.util.List;

/**
 * Starts the requested number of goroutines on Heddle and, in turns, on the JDK's own scheduler,
 * and compares how many start per second.
 */
final class RaceSection implements Section {
  private static final int BAR = 24;

  /** Smaller differences are noise on a machine that does other things, too. */
  private static final double SAME = 1.05;

  private final Screen screen;
  private final DemoSize size;
  private final Progress progress;

  RaceSection(Screen screen, DemoSize size) {
    this.screen = screen;
    this.size = size;
    long perRunner =
        (long) size.warmUps() * size.warmUpSize() + (long) size.rounds() * size.goroutines();
    this.progress = new Progress(screen, 2 * perRunner);
  }

  @Override
  public boolean play() throws Exception {
    screen.heading("3. Start %,d goroutines and wait for them".formatted(size.goroutines()));
    screen.line("Heddle and the JDK's own scheduler take turns, both warmed up and");
    screen.line(
        "on %d %s each; the result is the median of %d rounds:"
            .formatted(size.procs(), size.procs() == 1 ? "thread" : "threads", size.rounds()));
    try (Scheduler scheduler = Scheduler.builder().name("race").procs(size.procs()).build()) {
      RaceResult ours = new RaceResult(new Runner.HeddleRunner(scheduler));
      RaceResult jdks = new RaceResult(new Runner.JdkRunner());
      warmUp(List.of(ours, jdks));
      race(List.of(ours, jdks));
      showResult(ours, jdks);
    }
    return true;
  }

  private void warmUp(List<RaceResult> results) throws InterruptedException {
    for (int i = 1; i <= size.warmUps(); i++) {
      for (RaceResult result : results) {
        spawn(result, size.warmUpSize(), "warm-up " + i + " of " + size.warmUps());
      }
    }
  }

  private void race(List<RaceResult> results) throws InterruptedException {
    for (int i = 1; i <= size.rounds(); i++) {
      String label = "round " + i + " of " + size.rounds();
      for (RaceResult result : results) {
        result.add(spawn(result, size.goroutines(), label));
      }
      showRound(label, results);
    }
  }

  private Elapsed spawn(RaceResult result, int count, String label) throws InterruptedException {
    String text = result.name() + ", " + label;
    Elapsed time = new SpawnTiming(result.runner(), count).run(ended -> progress.show(ended, text));
    progress.next(count);
    return time;
  }

  /** Prints each round if the output has no progress bar. */
  private void showRound(String label, List<RaceResult> results) {
    if (!screen.isAnimated()) {
      StringBuilder line = new StringBuilder("  " + label + ":");
      results.forEach(
          result -> line.append("  ").append(result.name()).append(' ').append(result.last()));
      screen.line(line.toString());
    }
  }

  private void showResult(RaceResult ours, RaceResult jdks) {
    double most = Math.max(perSecond(ours), perSecond(jdks));
    showRunner(ours, most);
    showRunner(jdks, most);
    screen.line("  " + verdict(perSecond(ours) / perSecond(jdks)));
    screen.line("  Other load on the machine distorts this: one run shows little.");
  }

  private void showRunner(RaceResult result, double most) {
    double perSecond = perSecond(result);
    screen.line(
        "  %-6s  %s %,10.0f/s  %s"
            .formatted(
                result.name(),
                screen.bar(perSecond, most, BAR),
                perSecond,
                screen.dim(
                    "%s (%s to %s)".formatted(result.median(), result.best(), result.worst()))));
  }

  private static String verdict(double ratio) {
    if (ratio >= SAME) {
      return "Heddle started %.1f times as many per second.".formatted(ratio);
    }
    if (1 / ratio >= SAME) {
      return "The JDK's own scheduler started %.1f times as many per second.".formatted(1 / ratio);
    }
    return "The difference is below 5 %.";
  }

  private double perSecond(RaceResult result) {
    return size.goroutines() * 1e9 / result.median().nanos();
  }
}
