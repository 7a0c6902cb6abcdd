package io.heddle.internal.base;

/** A small, fast, statistically decent generator for one thread: xorshift64. */
public final class FastRandom {
  private long state;

  /** Any seed will do; zero, on which xorshift would stay for ever, is replaced. */
  public FastRandom(long seed) {
    state = seed == 0 ? 0x9E3779B97F4A7C15L : seed;
  }

  /** The next number, 0 or more. */
  public int next() {
    // Marsaglia's triple (13, 7, 17), full period.
    long s = state;
    s ^= s << 13;
    s ^= s >>> 7;
    s ^= s << 17;
    state = s;
    return (int) (s >>> 33);
  }

  /** The next number from 0 to {@code bound} - 1. */
  public int next(int bound) {
    return (int) (((long) next() * bound) >>> 31);
  }
}
