package io.heddle.bench.suite;

import java.io.Console;
import java.io.PrintStream;

/** Shows the progress: a bar on a terminal, otherwise one line per row. */
final class Progress {
  private static final int WIDTH = 30;

  private final PrintStream out;
  private final boolean isTerminal;
  private final int jobs;
  private int done;
  private String last = "";

  Progress(PrintStream out, boolean isTerminal, int jobs) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.jobs = jobs;
  }

  static boolean isOnTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  void begin(int round, Job job) {
    String what = "round " + round + ", " + job.rows().getFirst().family();
    if (isTerminal) {
      int full = WIDTH * done / Math.max(1, jobs);
      out.printf(
          "\r\033[K%s%s %d/%d  %s, %s",
          "█".repeat(full), "░".repeat(WIDTH - full), done, jobs, what, job.contender().title);
      out.flush();
    } else if (!what.equals(last)) {
      out.println(what);
    }
    last = what;
    done++;
  }

  void end() {
    if (isTerminal) {
      out.print("\r\033[K");
    }
  }
}
