package io.heddle.agent;

/** Woven code calls this class in tests that count the yield checks instead of yielding. */
public final class CountingYield {
  private static final ThreadLocal<long[]> COUNT = ThreadLocal.withInitial(() -> new long[1]);

  private CountingYield() {}

  /** Has the signature of the production check. */
  public static void check() {
    COUNT.get()[0]++;
  }

  /** Returns how many checks the calling thread has passed since the last call. */
  static long takeCount() {
    long[] count = COUNT.get();
    long was = count[0];
    count[0] = 0;
    return was;
  }
}
