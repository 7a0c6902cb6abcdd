package io.heddle.stress.soak;

import java.util.concurrent.atomic.AtomicInteger;

/** Goroutines that compute for longer than their slice without yielding. */
final class Hogs implements Load {
  private static final long FACTOR = 6364136223846793005L;

  @Override
  public void step(Worker me) throws Exception {
    Crew crew = new Crew(me);
    AtomicInteger done = new AtomicInteger();
    int n = me.between(1, 3);
    for (int i = 0; i < n; i++) {
      int millis = me.oneIn(10) ? me.between(20, 60) : me.between(0, 8);
      long seed = me.random.nextLong();
      crew.go(
          () -> {
            compute(seed, millis);
            done.incrementAndGet();
          });
    }
    crew.await();
    Expect.same("hogs that ended", done.get(), n);
    me.did(n);
  }

  /**
   * Computes for the given time in blocks with known results, because a goroutine with damaged
   * frames gets other results.
   */
  private static void compute(long seed, int millis) {
    long expected = block(seed);
    long end = System.nanoTime() + millis * 1_000_000L;
    do {
      Expect.same("result of a computation", block(seed), expected);
    } while (System.nanoTime() - end < 0);
  }

  private static long block(long seed) {
    long x = seed;
    for (int i = 0; i < 20_000; i++) {
      x = x * FACTOR + 1442695040888963407L;
    }
    return x;
  }
}
