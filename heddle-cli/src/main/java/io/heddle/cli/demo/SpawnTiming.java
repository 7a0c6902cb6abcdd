package io.heddle.cli.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/**
 * Measures how long one virtual thread takes to start many others that only count down, and to wait
 * for them.
 */
final class SpawnTiming {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(80);

  private final Runner runner;
  private final int count;

  SpawnTiming(Runner runner, int count) {
    this.runner = runner;
    this.count = count;
  }

  /**
   * Runs once and returns the time. Reports to {@code ended}, every 80 ms, how many threads have
   * ended.
   */
  Elapsed run(LongConsumer ended) throws InterruptedException {
    System.gc(); // a run must not pay for the garbage of the run before it
    CountDownLatch done = new CountDownLatch(count);
    long[] nanos = new long[1];
    Thread first = runner.startFirst(() -> nanos[0] = startAndWait(done));
    while (!first.join(BETWEEN_LOOKS)) {
      ended.accept(count - done.getCount());
    }
    return new Elapsed(nanos[0]);
  }

  private long startAndWait(CountDownLatch done) {
    long start = System.nanoTime();
    runner.startMany(count, done::countDown);
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt", e);
    }
    return System.nanoTime() - start;
  }
}
