package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** A progress bar for a known number of goroutines, started in several rounds. */
final class Progress {
  private static final int BAR = 30;

  private final Screen screen;
  private final long total;
  private long before;

  Progress(Screen screen, long total) {
    this.screen = screen;
    this.total = total;
  }

  /** Shows that {@code ended} goroutines of the current round have ended. */
  void show(long ended, String label) {
    long sum = before + ended;
    screen.moving(
        "  %s %3d %%  %s"
            .formatted(screen.bar((double) sum, (double) total, BAR), 100 * sum / total, label));
  }

  /** Ends the current round, which had {@code count} goroutines. */
  void next(long count) {
    before += count;
    screen.eraseMoving();
  }
}
