package io.heddle.bench.rows;

import java.time.Duration;

/** The delay of the i-th sleeper, at most a second; equal in all twins, in all languages. */
public final class SleepDelays {
  private SleepDelays() {}

  public static Duration of(int i) {
    return Duration.ofNanos(1_000L * micros(i));
  }

  /** A multiplicative hash, so that neighbours sleep for very different times. */
  public static int micros(int i) {
    return Integer.remainderUnsigned(i * (int) 2_654_435_761L, 1_000_001);
  }
}
