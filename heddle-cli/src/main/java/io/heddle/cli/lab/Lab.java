package io.heddle.cli.lab;

import io.heddle.cli.screen.Screen;
import java.util.List;
import java.util.Locale;

/**
 * Runs the programs one after another, the thread models of each in turns, and shows the tables.
 */
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

  /** The sizes that the documents describe: ten million numbers, a thousand documents. */
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

  /** Smaller sizes, for a few seconds in all. */
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

  /** A lab with only the named programs, in the lab's order. */
  public Lab only(List<String> names) {
    List<LabProgram> chosen =
        programs.stream().filter(program -> names.contains(program.name())).toList();
    return new Lab(screen, chosen, rounds);
  }

  /** Runs the programs; returns whether every result was right. */
  public boolean run() throws Exception {
    boolean right = true;
    for (LabProgram program : programs) {
      right &= run(program);
    }
    return right;
  }

  /** The results so far, as a page with plots. */
  public String page() {
    return page.html();
  }

  private boolean run(LabProgram program) throws Exception {
    screen.heading(program.name() + ": " + program.title());
    program.explanation().forEach(screen::line);
    screen.blank();
    List<ModelResult> results = program.models().stream().map(ModelResult::new).toList();
    try {
      race(program, results);
    } finally {
      results.forEach(result -> result.model.close());
    }
    screen.eraseMoving();
    results.forEach(result -> show(result, results));
    page.add(program, results);
    return results.stream().allMatch(ModelResult::isRight);
  }

  /** Runs all rounds; the first one only warms up. */
  private void race(LabProgram program, List<ModelResult> results) throws Exception {
    int runs = 0;
    for (int round = 0; round <= rounds; round++) {
      for (ModelResult result : results) {
        String bar = screen.bar(runs, (rounds + 1) * results.size(), 30);
        screen.moving("  " + bar + " " + result.model.name());
        result.run(program, round > 0);
        runs++;
      }
    }
  }

  private void show(ModelResult result, List<ModelResult> results) {
    long first = results.getFirst().median();
    double ratio = result.speedup(first);
    double most = results.stream().mapToDouble(l -> l.speedup(first)).max().orElse(1);
    String tail =
        result.remark().isEmpty()
            ? String.format(Locale.ROOT, "%6.2fx %s", ratio, screen.bar(ratio, most, BAR))
            : "  " + result.remark();
    screen.line(
        String.format(
            Locale.ROOT,
            "  %-20s %-10s %12s  %s%s",
            result.model.name(),
            result.model.on(),
            result.time(),
            tail.stripTrailing(),
            result.isRight() ? "" : screen.red("  WRONG RESULT")));
  }
}
