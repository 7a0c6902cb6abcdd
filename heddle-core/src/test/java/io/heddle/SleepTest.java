package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.inspect.Invariants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link Go#sleep} (rule T1). */
@HangGuard
@Tag("jdks")
class SleepTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger woken = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void t1_noSleeperWakesEarly(int procs) {
    Queue<Long> early = new ConcurrentLinkedQueue<>();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < 500; i++) {
        long nanos = 1 + i * 40_000L;
        scheduler.go(
            () -> {
              long start = System.nanoTime();
              Go.sleep(Duration.ofNanos(nanos));
              long slept = System.nanoTime() - start;
              if (slept < nanos) {
                early.add(nanos - slept);
              }
              woken.incrementAndGet();
            });
      }
    }
    assertThat(early).isEmpty();
    assertThat(woken).hasValue(500);
  }

  @Tag("machine")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void t1_eachSleepIsOneTimerThatFired(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < 50; i++) {
        scheduler.go(
            () -> {
              for (int n = 0; n < 20; n++) {
                Go.sleep(Duration.ofNanos(100_000));
              }
            });
      }
      Await.until(scheduler::goroutines, 0);
      assertThat(scheduler.stats().timersFired()).isEqualTo(1_000);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void zeroOrLessDoesNotSleepButChecksForInterrupt() throws Exception {
    OneP.run(
        () -> {
          for (Duration d : List.of(Duration.ZERO, Duration.ofNanos(-1), LONG.negated())) {
            Go.sleep(d);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Go.sleep(d)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
          }
        });
  }

  @Tag("machine")
  @Test
  void zeroOrLessArmsNoTimer() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      scheduler.run(
          () -> {
            Go.sleep(Duration.ZERO);
            Go.sleep(Duration.ofSeconds(Long.MIN_VALUE));
          });
      Await.idle(scheduler); // an M adds a run to the statistics after the run
      assertThat(scheduler.stats().timersFired()).isZero();
      assertThat(scheduler.stats().switches()).isEqualTo(1);
    }
  }

  @Tag("machine")
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000_000, 10_000_000_000L})
  void hugeSleepsLastUntilAnInterrupt(long seconds) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Goroutine sleeper = scheduler.go(() -> sleepUntilInterrupted(Duration.ofSeconds(seconds)));
      awaitSleeping(sleeper);
      Await.idle(scheduler);
      scheduler
          .go(() -> Go.sleep(Duration.ofMillis(1)))
          .join(); // other goroutines sleep for their own time
      assertThat(sleeper.state()).isEqualTo(Goroutine.State.WAITING);
      sleeper.interrupt();
      sleeper.join();
      assertThat(interrupted).hasValue(1);
    }
  }

  @Test
  void interruptBeforeSleepThrowsAndIsCleared() throws Exception {
    OneP.run(
        () -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(() -> Go.sleep(LONG)).isInstanceOf(InterruptedException.class);
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
  }

  @Test
  void interruptDuringSleepThrowsAndIsCleared() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Goroutine sleeper =
          scheduler.go(
              () -> {
                sleepUntilInterrupted(LONG);
                flag.set(Thread.currentThread().isInterrupted());
              });
      awaitSleeping(sleeper);
      sleeper.interrupt();
      sleeper.join();
      assertThat(interrupted).hasValue(1);
      assertThat(flag.get()).isFalse();
      assertThat(scheduler.stats().timersFired()).isZero();
    }
  }

  @Test
  void sleepAfterInterruptHasItsFullLength() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      for (int round = 0; round < 100; round++) {
        CountDownLatch slept = new CountDownLatch(1);
        Goroutine sleeper =
            scheduler.go(
                () -> {
                  sleepUntilInterrupted(LONG);
                  long start = System.nanoTime();
                  Go.sleep(Duration.ofMillis(1));
                  if (System.nanoTime() - start >= 1_000_000) {
                    slept.countDown();
                  }
                });
        awaitSleeping(sleeper);
        sleeper.interrupt();
        sleeper.join();
        assertThat(slept.getCount()).isZero();
      }
    }
  }

  /**
   * Interrupts that race with the end of the sleep: the sleep ends, or it is interrupted, or the
   * flag stays set.
   */
  @Test
  void interruptAtTheEndIsNotLost() throws Exception {
    AtomicInteger flags = new AtomicInteger();
    int rounds = 2_000;
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch told = new CountDownLatch(1);
        Goroutine sleeper =
            scheduler.go(
                () -> {
                  sleepUntilInterrupted(Duration.ofNanos(30_000));
                  while (told.getCount() > 0) {
                    Go.gosched();
                  }
                  if (Thread.interrupted()) {
                    flags.incrementAndGet();
                  }
                });
        sleeper.interrupt();
        told.countDown();
        sleeper.join();
      }
    }
    assertThat(interrupted.get() + flags.get()).isEqualTo(rounds);
  }

  @Test
  void parkPermitDoesNotEndSleep() throws Exception {
    OneP.run(
        () -> {
          LockSupport.unpark(Thread.currentThread());
          long start = System.nanoTime();
          Go.sleep(Duration.ofMillis(2));
          assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
        });
  }

  @Test
  void platformThreadSleeps() throws Exception {
    checkSleepOf(Thread.ofPlatform().unstarted(this::sleepTwice));
  }

  @Test
  void plainVirtualThreadSleeps() throws Exception {
    checkSleepOf(Thread.ofVirtual().unstarted(this::sleepTwice));
  }

  @Tag("machine")
  @Test
  void adoptedThreadSleepsAsGoroutine() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      scheduler.run(() -> Thread.startVirtualThread(() -> sleep(Duration.ofNanos(1_000))).join());
      assertThat(scheduler.stats().timersFired()).isEqualTo(1);
    }
  }

  @Test
  void waitReasonIsSleep() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine sleeper = scheduler.go("sleepy", () -> sleepUntilInterrupted(LONG));
      awaitSleeping(sleeper);
      assertThat(sleeper.waitReason()).isEqualTo("sleep");
      assertThat(scheduler.dump())
          .contains("\"sleepy\" [sleep]:")
          .contains("SleepTest.sleepUntilInterrupted");
      sleeper.interrupt();
    }
  }

  @Test
  void closeWaitsForSleepers() {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      for (int i = 0; i < 100; i++) {
        scheduler.go(() -> sleep(Duration.ofMillis(20)));
      }
    }
    assertThat(woken).hasValue(100);
  }

  @Test
  void shutdownNowInterruptsSleepersAndDoesNotWaitForTheirTimers() {
    for (int round = 1; round <= 100; round++) {
      Scheduler scheduler = Scheduler.builder().procs(2).build();
      for (int i = 0; i < 20; i++) {
        scheduler.go(() -> sleepUntilInterrupted(LONG));
      }
      scheduler.shutdownNow();
      assertThat(interrupted).hasValue(20 * round);
      assertThat(scheduler.stats().threads()).isZero();
    }
  }

  @Test
  void closeEndsTheTimekeeperOfInterruptedSleeper() throws Exception {
    for (int round = 0; round < 300; round++) {
      Scheduler scheduler = Scheduler.builder().procs(2).build();
      Goroutine sleeper = scheduler.go(() -> sleepUntilInterrupted(LONG));
      awaitSleeping(sleeper);
      sleeper.interrupt();
      scheduler.close();
      assertThat(scheduler.stats().threads()).isZero();
    }
  }

  @Tag("machine")
  @Test
  void schedulersFireTheirOwnTimers() throws Exception {
    try (Scheduler one = Scheduler.builder().procs(1).build();
        Scheduler other = Scheduler.builder().procs(2).build()) {
      List<Goroutine> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(one.go(() -> sleep(Duration.ofMillis(1))));
        all.add(other.go(() -> sleep(Duration.ofMillis(1))));
        all.add(one.go(() -> other.go(() -> sleep(Duration.ofMillis(1))).join()));
      }
      for (Goroutine g : all) {
        g.join();
      }
      assertThat(one.stats().timersFired()).isEqualTo(100);
      assertThat(other.stats().timersFired()).isEqualTo(200);
    }
  }

  private void sleep(Duration d) {
    try {
      Go.sleep(d);
      woken.incrementAndGet();
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
    }
  }

  private void sleepUntilInterrupted(Duration d) {
    sleep(d);
  }

  private void sleepTwice() {
    long start = System.nanoTime();
    sleep(Duration.ofMillis(1));
    if (System.nanoTime() - start < 1_000_000) {
      uncaught.add(new AssertionError("early"));
    }
    sleep(LONG);
    if (Thread.currentThread().isInterrupted()) {
      uncaught.add(new AssertionError("the flag is left"));
    }
  }

  private void checkSleepOf(Thread thread) throws InterruptedException {
    thread.start();
    Await.until(woken::get, 1);
    thread.interrupt();
    thread.join();
    assertThat(interrupted).hasValue(1);
    assertThat(uncaught).isEmpty();
  }

  private static void awaitSleeping(Goroutine g) {
    Await.until(g::waitReason, "sleep");
  }
}
