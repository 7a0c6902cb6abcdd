package io.heddle.internal.base;

/** The time scale of deadlines: nanoseconds since about the start of the program, monotonic. */
public final class Clock {
  /** Makes time start at about 1, so that the sum with any realistic duration does not overflow. */
  private static final long START = System.nanoTime() - 1;

  private Clock() {}

  /** Returns the current time. */
  public static long now() {
    return System.nanoTime() - START;
  }

  /**
   * Returns the sum of {@code now} and {@code nanos}, or {@code Long.MAX_VALUE} if the sum
   * overflows. {@code now} must not be negative.
   */
  public static long after(long now, long nanos) {
    long when = now + nanos;
    return nanos > 0 && when < 0 ? Long.MAX_VALUE : when;
  }
}
