package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As many sleepers as memory allows, with random deadlines and with one common deadline: each wakes
 * once, never early, and about in the order of the deadlines (rule T1).
 *
 * <p>{@code -Dheddle.sleepers} sets the number: see docs/internals/HACKING.md.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManySleepersTest {
  private static final int SLEEPERS = Integer.getInteger("heddle.sleepers", 100_000);

  /** How far two sleepers may wake out of order of their deadlines on a busy machine. */
  private static final long TOLERANCE = Duration.ofMillis(500).toNanos();

  private final long[] deadlines = new long[SLEEPERS];
  private final long[] wakings = new long[SLEEPERS];
  private final int[] order = new int[SLEEPERS];
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicIntegerArray times = new AtomicIntegerArray(SLEEPERS);

  @Test
  void t1_sleepersWithRandomDeadlinesOnTwoPs() {
    t1_sleepersWithRandomDeadlinesWakeOnceInOrder(2);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void t1_sleepersWithRandomDeadlinesWakeOnceInOrder(int procs) {
    long start = System.nanoTime();
    // Long enough for all goroutines to be asleep before the first wakes.
    long first = start + SLEEPERS * 10_000L;
    long last = SLEEPERS * 10_000L;
    sleepAll(procs, () -> first + ThreadLocalRandom.current().nextLong(last));
    check("random deadlines", procs);
    assertThat(worstInversion()).isLessThan(TOLERANCE);
  }

  @Test
  void t1_sleepersWithOneDeadlineOnTwoPs() {
    t1_sleepersWithOneDeadlineWakeOnce(2);
  }

  /** All timers of all Ps are due at once, far more than a ring can hold. */
  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void t1_sleepersWithOneDeadlineWakeOnce(int procs) {
    long when = System.nanoTime() + SLEEPERS * 10_000L;
    sleepAll(procs, () -> when);
    check("one deadline", procs);
  }

  /** Smaller crowds sleep and wake repeatedly while other goroutines start and must be stolen. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 16})
  void f3_sleepersWakeWhileOtherGoroutinesAreStolen(int procs) {
    try (LogCapture log = new LogCapture();
        Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      AtomicInteger ended = new AtomicInteger();
      int rounds = SLEEPERS / 1_000;
      for (int crowd = 0; crowd < 4; crowd++) {
        scheduler.go(
            () -> {
              for (int round = 0; round < rounds / 4; round++) {
                sleepAndStartGoroutines(250, ended);
              }
            });
      }
      Await.until(scheduler::goroutines, 0);
      assertThat(ended).hasValue(rounds / 4 * 4 * 500);
      assertThat(log.messages()).isEmpty();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  private static void sleepAndStartGoroutines(int n, AtomicInteger ended)
      throws InterruptedException {
    long when = System.nanoTime() + 500_000;
    Goroutine[] all = new Goroutine[2 * n];
    for (int i = 0; i < n; i++) {
      all[i] =
          Go.go(
              () -> {
                Go.sleep(Duration.ofNanos(when - System.nanoTime()));
                ended.incrementAndGet();
              });
    }
    Go.sleep(Duration.ofNanos(when - System.nanoTime()));
    for (int i = n; i < 2 * n; i++) {
      all[i] = Go.go(ended::incrementAndGet);
    }
    for (Goroutine g : all) {
      g.join();
    }
  }

  private void sleepAll(int procs, LongSupplier deadline) {
    try (LogCapture log = new LogCapture();
        Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < SLEEPERS; i++) {
        int number = i;
        deadlines[number] = deadline.getAsLong();
        scheduler.go(() -> sleepUntilDeadline(number));
      }
      Await.until(scheduler::goroutines, 0);
      assertThat(scheduler.stats().timersFired()).isLessThanOrEqualTo(SLEEPERS);
      assertThat(log.messages()).isEmpty();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  private void sleepUntilDeadline(int number) throws InterruptedException {
    Go.sleep(Duration.ofNanos(deadlines[number] - System.nanoTime()));
    wakings[number] = System.nanoTime();
    order[next.getAndIncrement()] = number;
    times.incrementAndGet(number);
  }

  private void check(String what, int procs) {
    assertThat(next).hasValue(SLEEPERS);
    long[] late = new long[SLEEPERS];
    for (int i = 0; i < SLEEPERS; i++) {
      assertThat(times.get(i)).as("how often %d woke", i).isEqualTo(1);
      late[i] = wakings[i] - deadlines[i];
      assertThat(late[i]).as("how late %d was", i).isNotNegative();
    }
    Arrays.sort(late);
    System.out.printf(
        "%d sleepers, %s, %d Ps: late by %d µs (median), %d µs (p99)%n",
        SLEEPERS,
        what,
        procs,
        TimeUnit.NANOSECONDS.toMicros(late[SLEEPERS / 2]),
        TimeUnit.NANOSECONDS.toMicros(late[SLEEPERS / 100 * 99]));
  }

  /**
   * Returns the largest amount by which a goroutine's deadline is before that of a goroutine that
   * woke earlier.
   */
  private long worstInversion() {
    long latest = Long.MIN_VALUE;
    long worst = 0;
    for (int number : order) {
      latest = Math.max(latest, deadlines[number] - deadlines[order[0]]);
      worst = Math.max(worst, latest - (deadlines[number] - deadlines[order[0]]));
    }
    return worst;
  }
}
