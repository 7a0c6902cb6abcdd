package io.heddle.internal.base;

/** A small, fast, statistically decent generator for one thread: xorshift64. */
public final class FastRandom {
  private long state;

  /** Any seed will do: similar ones give different numbers from the first on. */
  public FastRandom(long seed) {
    long mixed = mix(seed);
    state = mixed == 0 ? 1 : mixed; // on zero xorshift would stay for ever
  }

  /** Spreads each bit of the seed over all: the last step of splitmix64. */
  private static long mix(long seed) {
    long z = seed + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
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
