package io.heddle.cli.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/** One virtual thread starts many others that only count down, and waits for them: how long that takes. */
final class SpawnTiming {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(80);

  private final Runner runner;
  private final int count;

  SpawnTiming(Runner runner, int count) {
    this.runner = runner;
    this.count = count;
  }

  /** Runs it once, tells {@code ended} now and then how many have ended, and returns how long it took. */
  Elapsed run(LongConsumer ended) throws InterruptedException {
    System.gc(); // nobody pays for the garbage of the one before
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
      throw new IllegalStateException("nobody interrupts this", e);
    }
    return System.nanoTime() - start;
  }
}
