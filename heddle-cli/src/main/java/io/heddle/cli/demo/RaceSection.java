package io.heddle.cli.demo;

import io.heddle.Scheduler;
import io.heddle.cli.screen.Screen;
import java.util.List;

/** As many goroutines as asked for, on our scheduler and, turn by turn, on the JDK's own: how many in a second. */
final class RaceSection implements Section {
  private static final int BAR = 24;

  /** Less than this is noise on a machine that does other things, too. */
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
    screen.line("In turns with as many virtual threads on the JDK's own scheduler, both warm and");
    screen.line(
        "on %d %s each; the median of %d rounds counts:"
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

  private void warmUp(List<RaceResult> lanes) throws InterruptedException {
    for (int i = 1; i <= size.warmUps(); i++) {
      for (RaceResult lane : lanes) {
        spawn(lane, size.warmUpSize(), "warm-up " + i + " of " + size.warmUps());
      }
    }
  }

  private void race(List<RaceResult> lanes) throws InterruptedException {
    for (int i = 1; i <= size.rounds(); i++) {
      String label = "round " + i + " of " + size.rounds();
      for (RaceResult lane : lanes) {
        lane.add(spawn(lane, size.goroutines(), label));
      }
      showRound(label, lanes);
    }
  }

  private Elapsed spawn(RaceResult lane, int count, String label) throws InterruptedException {
    String text = lane.name() + ", " + label;
    Elapsed time = new SpawnTiming(lane.runner(), count).run(ended -> progress.show(ended, text));
    progress.next(count);
    return time;
  }

  /** Where nothing moves, lines show that something does. */
  private void showRound(String label, List<RaceResult> lanes) {
    if (!screen.isAnimated()) {
      StringBuilder line = new StringBuilder("  " + label + ":");
      lanes.forEach(lane -> line.append("  ").append(lane.name()).append(' ').append(lane.last()));
      screen.line(line.toString());
    }
  }

  private void showResult(RaceResult ours, RaceResult jdks) {
    double most = Math.max(perSecond(ours), perSecond(jdks));
    showLane(ours, most);
    showLane(jdks, most);
    screen.line("  " + verdict(perSecond(ours) / perSecond(jdks)));
  }

  private void showLane(RaceResult lane, double most) {
    double perSecond = perSecond(lane);
    screen.line(
        "  %-6s  %s %,10.0f/s  %s"
            .formatted(
                lane.name(),
                screen.bar(perSecond, most, BAR),
                perSecond,
                screen.dim("%s (%s to %s)".formatted(lane.median(), lane.best(), lane.worst()))));
  }

  private static String verdict(double ratio) {
    if (ratio >= SAME) {
      return "Heddle did %.1f times as many.".formatted(ratio);
    }
    if (1 / ratio >= SAME) {
      return "The JDK's own scheduler did %.1f times as many.".formatted(1 / ratio);
    }
    return "No difference to speak of.";
  }

  private double perSecond(RaceResult lane) {
    return size.goroutines() * 1e9 / lane.median().nanos();
  }
}
