package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** A bar that grows while a known number of goroutines is started and ends, in several goes. */
final class Progress {
  private static final int BAR = 30;

  private final Screen screen;
  private final long total;
  private long before;

  Progress(Screen screen, long total) {
    this.screen = screen;
    this.total = total;
  }

  /** So many have ended in this go. */
  void show(long ended, String label) {
    long sum = before + ended;
    screen.moving(
        "  %s %3d %%  %s"
            .formatted(screen.bar((double) sum, (double) total, BAR), 100 * sum / total, label));
  }

  /** This go is over, and had so many. */
  void next(long count) {
    before += count;
    screen.eraseMoving();
  }
}
