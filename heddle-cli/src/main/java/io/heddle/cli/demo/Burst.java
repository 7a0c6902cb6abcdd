package io.heddle.cli.demo;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * A run in which one goroutine starts many others, each with a short computation, and waits for
 * them.
 */
final class Burst {
  /**
   * About 40 microseconds, long enough for a sleeping M to wake up and still find goroutines
   * queued.
   */
  private static final int STEPS = 20_000;

  /** Receives the results, so that the compiler cannot eliminate the work. */
  private static volatile long result;

  private final Scheduler scheduler;
  private final int goroutines;

  /**
   * The result of a burst.
   *
   * @param byM how many goroutines each M ran
   * @param time how long the burst took
   * @param steals how often an M stole from another P's queue
   * @param stolen how many goroutines those steals took
   */
  record Result(Map<String, Long> byM, Elapsed time, long steals, long stolen) {
    long total() {
      return byM.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  Burst(Scheduler scheduler, int goroutines) {
    this.scheduler = scheduler;
    this.goroutines = goroutines;
  }

  Result run() throws Exception {
    ConcurrentMap<String, LongAdder> byM = new ConcurrentHashMap<>();
    Stats before = scheduler.stats();
    long start = System.nanoTime();
    scheduler.run(() -> startAndWait(byM));
    Elapsed time = new Elapsed(System.nanoTime() - start);
    Stats after = scheduler.stats();
    ConcurrentMap<String, Long> counts = new ConcurrentHashMap<>();
    byM.forEach((m, count) -> counts.put(m, count.sum()));
    return new Result(
        counts, time, after.steals() - before.steals(), after.stolen() - before.stolen());
  }

  private void startAndWait(ConcurrentMap<String, LongAdder> byM) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(goroutines);
    for (int i = 0; i < goroutines; i++) {
      long seed = i;
      Go.go(
          () -> {
            compute(seed);
            byM.computeIfAbsent(nameOfM(), m -> new LongAdder()).increment();
            done.countDown();
          });
    }
    done.await();
  }

  /** The name of the current M: the text after the @ in the virtual thread's {@code toString}. */
  private static String nameOfM() {
    String name = Thread.currentThread().toString();
    return name.substring(name.lastIndexOf('-') + 1);
  }

  private static void compute(long seed) {
    long x = seed + 1;
    for (int i = 0; i < STEPS; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    result = x;
  }
}
