package io.heddle.cli.demo;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** One goroutine starts many others, each with a little to compute, and waits for them. */
final class Burst {
  /** Some 40 microseconds: enough for a sleeping M to wake up and find some left. */
  private static final int STEPS = 20_000;

  /** Where results go, so that the compiler cannot leave the work out. */
  private static volatile long result;

  private final Scheduler scheduler;
  private final int goroutines;

  /**
   * What came of it.
   *
   * @param byM how many goroutines each M ran
   * @param time how long it took
   * @param steals how often an M took from the queue of another's P
   * @param stolen how many goroutines it took there
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

  /** Stands behind the @ of a virtual thread: the name of the thread that carries it. */
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
