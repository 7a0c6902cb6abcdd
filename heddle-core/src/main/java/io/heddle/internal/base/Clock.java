package io.heddle.internal.base;

/** The time that deadlines are in: nanoseconds since about the start of the program, never going back. */
public final class Clock {
  /** So that time starts at about 1 and a sum with any sane duration does not overflow. */
  private static final long START = System.nanoTime() - 1;

  private Clock() {}

  public static long now() {
    return System.nanoTime() - START;
  }
}
