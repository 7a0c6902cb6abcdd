package io.heddle;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Sends the time again and again. Who is slow to receive misses ticks: no more than one waits for it. */
public final class Ticker implements AutoCloseable {
  private final ChanTimer alarm;

  /**
   * Ticks from now on.
   *
   * @throws IllegalArgumentException if {@code every} is zero or less
   */
  public Ticker(Duration every) {
    check(every);
    alarm = new ChanTimer();
    alarm.setEvery(every);
  }

  /** Where the ticks come out. It is never closed. */
  public Receiver<Instant> ticks() {
    return alarm.chan();
  }

  /**
   * Ticks every so often from now on, also if it was closed. No tick from before can be received after that.
   *
   * @throws IllegalArgumentException if {@code every} is zero or less
   */
  public void reset(Duration every) {
    check(every);
    alarm.setEvery(every);
  }

  /** No more ticks: also none that came before can be received after that. */
  @Override
  public void close() {
    boolean _ = alarm.silence();
  }

  private static void check(Duration every) {
    if (!Objects.requireNonNull(every, "every").isPositive()) {
      throw new IllegalArgumentException("a ticker of " + every + ": allowed is more than zero");
    }
  }
}
