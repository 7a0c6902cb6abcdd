package io.heddle.cli.lab;

import io.heddle.cli.screen.Screen;
import java.util.List;
import java.util.Locale;

/** Runs the programs one after the other, the contenders of each in turns, and shows the tables. */
public final class Lab {
  private static final int BAR = 16;

  private final Screen screen;
  private final List<LabProgram> programs;
  private final int rounds;
  private final LabPage page;

  private Lab(Screen screen, List<LabProgram> programs, int rounds) {
    this.screen = screen;
    this.programs = programs;
    this.rounds = rounds;
    this.page = new LabPage(rounds);
  }

  /** As the documents have them: ten million numbers, a thousand documents. */
  public static Lab full(Screen screen) {
    List<LabProgram> programs =
        List.of(
            new Order(100),
            new Sum(10_000_000),
            new Find(1_000),
            new PingPong(100_000),
            new Hogs(500),
            new Reads());
    return new Lab(screen, programs, 5);
  }

  /** The same, smaller, in a few seconds. */
  public static Lab quick(Screen screen) {
    List<LabProgram> programs =
        List.of(
            new Order(20),
            new Sum(10_000_000),
            new Find(160),
            new PingPong(5_000),
            new Hogs(200),
            new Reads());
    return new Lab(screen, programs, 3);
  }

  public List<String> names() {
    return programs.stream().map(LabProgram::name).toList();
  }

  /** Those that are named, in their own order. */
  public Lab only(List<String> names) {
    List<LabProgram> chosen =
        programs.stream().filter(program -> names.contains(program.name())).toList();
    return new Lab(screen, chosen, rounds);
  }

  /** Returns whether every result was right. */
  public boolean run() throws Exception {
    boolean right = true;
    for (LabProgram program : programs) {
      right &= run(program);
    }
    return right;
  }

  /** What it has found so far, as a page with plots. */
  public String page() {
    return page.html();
  }

  private boolean run(LabProgram program) throws Exception {
    screen.heading(program.name() + ": " + program.title());
    program.explanation().forEach(screen::line);
    screen.blank();
    List<ModelResult> lanes = program.models().stream().map(ModelResult::new).toList();
    try {
      race(program, lanes);
    } finally {
      lanes.forEach(lane -> lane.model.close());
    }
    screen.eraseMoving();
    lanes.forEach(lane -> show(lane, lanes));
    page.add(program, lanes);
    return lanes.stream().allMatch(ModelResult::isRight);
  }

  /** The first round warms up. */
  private void race(LabProgram program, List<ModelResult> lanes) throws Exception {
    int runs = 0;
    for (int round = 0; round <= rounds; round++) {
      for (ModelResult lane : lanes) {
        String bar = screen.bar(runs, (rounds + 1) * lanes.size(), 30);
        screen.moving("  " + bar + " " + lane.model.name());
        lane.run(program, round > 0);
        runs++;
      }
    }
  }

  private void show(ModelResult lane, List<ModelResult> lanes) {
    long first = lanes.getFirst().median();
    double ratio = (double) first / lane.median();
    double most = lanes.stream().mapToDouble(l -> (double) first / l.median()).max().orElse(1);
    String tail =
        lane.remark().isEmpty()
            ? String.format(Locale.ROOT, "%6.2fx %s", ratio, screen.bar(ratio, most, BAR))
            : "  " + lane.remark();
    screen.line(
        String.format(
            Locale.ROOT,
            "  %-20s %-10s %12s  %s%s",
            lane.model.name(),
            lane.model.on(),
            lane.time(),
            tail.stripTrailing(),
            lane.isRight() ? "" : screen.red("  WRONG RESULT")));
  }
}
