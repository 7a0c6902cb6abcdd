package io.heddle.agent;

/** What woven code calls in tests that do not want to yield, but to know where it would. */
public final class CountingYield {
  private static final ThreadLocal<long[]> COUNT = ThreadLocal.withInitial(() -> new long[1]);

  private CountingYield() {}

  /** As the real one's. */
  public static void check() {
    COUNT.get()[0]++;
  }

  /** How many checks the calling thread has come by since it last asked. */
  static long takeCount() {
    long[] count = COUNT.get();
    long was = count[0];
    count[0] = 0;
    return was;
  }
}
