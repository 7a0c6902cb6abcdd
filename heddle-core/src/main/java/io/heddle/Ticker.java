package io.heddle;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Sends the time to a channel at regular intervals, as Go's {@code time.Ticker}.
 *
 * {@snippet :
 * try (Ticker ticker = new Ticker(Duration.ofSeconds(1))) {
 *   while (!done) {
 *     ticker.ticks().receive();
 *     report();
 *   }
 * }
 * }
 *
 * <p>At most one tick waits in the channel. If the receiver is slow, further ticks are dropped. A
 * ticker belongs to the scheduler of the goroutine that made it, or else to the shared scheduler.
 * After that scheduler is closed, the ticker does not tick any more.
 *
 * <p>All methods can be called from any thread at the same time, and none of them waits. A receive
 * from {@link #ticks} waits and responds to interrupts, as for any {@link Chan}.
 *
 * <p>Memory consistency: actions before the ticker is made <i>happen-before</i> actions after the
 * receive of its ticks. Actions before a {@link #reset} <i>happen-before</i> actions after the
 * receive of a tick that comes after the reset.
 */
public final class Ticker implements AutoCloseable {
  private final ChanTimer alarm;

  /**
   * Makes a ticker; the first tick comes after {@code every}.
   *
   * @param every the time between two ticks
   * @throws IllegalArgumentException if {@code every} is zero or less
   */
  public Ticker(Duration every) {
    check(every);
    alarm = new ChanTimer();
    alarm.setEvery(every);
  }

  /**
   * Returns the channel of the ticks. It is never closed, so a {@code for} loop over it does not
   * end when the ticker is closed.
   *
   * @return the same channel each time
   */
  public Receiver<Instant> ticks() {
    return alarm.chan();
  }

  /**
   * Restarts this ticker with a new interval, also after {@link #close}. After this returns, no
   * tick from before the call can be received.
   *
   * @param every the time between two ticks
   * @throws IllegalArgumentException if {@code every} is zero or less
   */
  public void reset(Duration every) {
    check(every);
    alarm.setEvery(every);
  }

  /**
   * Stops the ticks. After this returns, no tick can be received, not even an earlier one. Closing
   * again does nothing.
   */
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
