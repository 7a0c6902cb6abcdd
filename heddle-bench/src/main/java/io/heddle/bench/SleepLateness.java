package io.heddle.bench;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.Arrays;

/**
 * Measures how late a single sleeper of 1 ms wakes on an idle scheduler, compared with the JDK's
 * threads: median and p99. Run by hand.
 */
public final class SleepLateness {
  private static final Duration SLEEP = Duration.ofMillis(1);
  private static final int SLEEPS = 2_000;
  private static final int ROUNDS = 3;

  private SleepLateness() {}

  private interface Sleeping {
    void sleep() throws InterruptedException;
  }

  public static void main(String[] args) throws Exception {
    for (int round = 0; round < ROUNDS; round++) { // in turns; the first round warms up
      for (int procs : new int[] {1, 2, 4}) {
        try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
          scheduler.run(() -> measure("Go.sleep, procs=" + procs, () -> Go.sleep(SLEEP)));
        }
      }
      run(Thread.ofVirtual(), "Thread.sleep, virtual thread");
      run(Thread.ofPlatform(), "Thread.sleep, platform thread");
      System.out.println();
    }
  }

  private static void run(Thread.Builder builder, String name) throws InterruptedException {
    builder
        .start(
            () -> {
              try {
                measure(name, () -> Thread.sleep(SLEEP));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            })
        .join();
  }

  private static void measure(String name, Sleeping sleeping) throws InterruptedException {
    long[] late = new long[SLEEPS];
    for (int i = 0; i < SLEEPS; i++) {
      long start = System.nanoTime();
      sleeping.sleep();
      late[i] = System.nanoTime() - start - SLEEP.toNanos();
    }
    Arrays.sort(late);
    System.out.printf(
        "%-32s late by %4d µs (median), %5d µs (p99)%n",
        name, late[SLEEPS / 2] / 1_000, late[SLEEPS / 100 * 99] / 1_000);
  }
}
