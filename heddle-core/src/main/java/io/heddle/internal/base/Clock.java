package io.heddle.internal.base;

/** The time that deadlines are in: nanoseconds since about the start of the program, never going back. */
public final class Clock {
  /** So that time starts at about 1 and a sum with any sane duration does not overflow. */
  private static final long START = System.nanoTime() - 1;

  private Clock() {}

  public static long now() {
    return System.nanoTime() - START;
  }

  /** The time so many nanoseconds after {@code now}; the end of time if that is too far away. */
  public static long after(long now, long nanos) {
    long when = now + nanos;
    return nanos > 0 && when < 0 ? Long.MAX_VALUE : when;
  }
}
