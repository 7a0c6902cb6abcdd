package io.heddle.internal.base;

/** A small and fast pseudo-random generator (xorshift64) for use by one thread. */
public final class FastRandom {
  private long state;

  /** Makes a generator from any seed. Even similar seeds give different numbers from the start. */
  public FastRandom(long seed) {
    long mixed = mix(seed);
    state = mixed == 0 ? 1 : mixed; // xorshift maps zero to zero forever
  }

  /** Spreads each bit of the seed over all 64 bits: the last step of splitmix64. */
  private static long mix(long seed) {
    long z = seed + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns the next number, from 0 to {@code Integer.MAX_VALUE}. */
  public int next() {
    // The shifts are Marsaglia's triple (13, 7, 17), which gives the generator its full period.
    long s = state;
    s ^= s << 13;
    s ^= s >>> 7;
    s ^= s << 17;
    state = s;
    return (int) (s >>> 33);
  }

  /** Returns the next number from 0 to {@code bound - 1}. */
  public int next(int bound) {
    return (int) (((long) next() * bound) >>> 31);
  }
}
