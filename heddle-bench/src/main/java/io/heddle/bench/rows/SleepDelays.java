package io.heddle.bench.rows;

import java.time.Duration;

/** How long the i-th sleeper sleeps, up to a second: the same in all twins, in all languages. */
public final class SleepDelays {
  private SleepDelays() {}

  public static Duration of(int i) {
    return Duration.ofNanos(1_000L * micros(i));
  }

  /** A multiplicative hash: neighbours sleep for quite different times. */
  public static int micros(int i) {
    return Integer.remainderUnsigned(i * (int) 2_654_435_761L, 1_000_001);
  }
}
