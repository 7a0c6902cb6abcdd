package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The P of a sleeper computes, is in a blocking call, or is removed: its timer still fires (rules
 * T1, S3, P1).
 */
@HangGuard
class SleepersWithoutPTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger woken = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

  /** No P comes free by itself: sysmon must take one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void s3_sleepersWakeWhileEveryPIsBusy(int procs) {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      CountDownLatch asleep = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        scheduler.go(
            () -> {
              asleep.countDown();
              Go.sleep(Duration.ofMillis(20));
              woken.incrementAndGet();
            });
      }
      Await.until(asleep::getCount, 0L);
      try (Busy _ = Busy.start(scheduler, procs)) {
        Await.until(woken::get, 20);
      }
    }
  }

  /**
   * Computing goroutines that sleep now and then: a goroutine that has lost its P arms its timer in
   * a heap that belongs to another P's goroutines now.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void s3_goroutineThatLostItsPCanSleep(int procs) {
    try (Scheduler scheduler =
        Scheduler.builder().procs(procs).timeSlice(Duration.ofNanos(100_000)).build()) {
      for (int i = 0; i < 2 * procs; i++) {
        scheduler.go(
            () -> {
              for (int n = 0; n < 20; n++) {
                compute(2_000_000);
                Go.sleep(Duration.ofNanos(50_000));
              }
              woken.incrementAndGet();
            });
      }
    }
    assertThat(woken).hasValue(2 * procs);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void t1_sleeperWakesWhileTheOtherGoroutineIsInBlockingCall(int procs) throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(procs).build()) {
      CountDownLatch release = new CountDownLatch(1);
      Goroutine sleeper = scheduler.go(() -> sleep(Duration.ofMillis(5)));
      scheduler.go(() -> Go.blocking(() -> awaitWithoutUnmounting(release)));
      sleeper.join();
      assertThat(woken).hasValue(1);
      release.countDown();
    }
  }

  /** The call begins first: its P goes idle while no M is timekeeper. */
  @Test
  void t1_sleepEndsThoughItsPWentIdleInBlockingCall() throws Exception {
    for (int round = 0; round < 200; round++) {
      try (Scheduler scheduler = Busy.withLongSlice().procs(1).build()) {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Goroutine> sleeper = new AtomicReference<>();
        scheduler.run(
            () -> {
              sleeper.set(Go.go(() -> sleep(Duration.ofNanos(500_000))));
              Go.gosched();
              Go.go(() -> Go.blocking(() -> awaitWithoutUnmounting(release)));
            });
        sleeper.get().join();
        release.countDown();
      }
    }
  }

  @Test
  void t1_pinnedSleepEnds() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      for (int round = 0; round < 20; round++) {
        scheduler
            .go(
                () -> {
                  VirtualThreads.pin();
                  sleep(Duration.ofMillis(1));
                  VirtualThreads.unpin();
                })
            .join();
      }
      assertThat(woken).hasValue(20);
    }
  }

  @Test
  void p1_sleepersOfRemovedPWake() {
    try (Scheduler scheduler = Busy.withLongSlice().procs(4).build()) {
      int sleepers = sleepOnEveryP(scheduler, 4, Duration.ofMillis(30));
      scheduler.procs(1);
      Await.until(woken::get, sleepers);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  /**
   * Changes procs to 1 and back, so that timers move repeatedly and are armed in heaps that have
   * moved.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 16})
  void p1_sleepersWakeThoughTheirPIsRemovedRepeatedly(int procs) {
    AtomicBoolean over = new AtomicBoolean();
    try (Scheduler scheduler = builder().procs(procs).build()) {
      for (int i = 0; i < 200; i++) {
        int number = i;
        scheduler.go(
            () -> {
              for (int n = 0; n < 50 || !over.get(); n++) {
                long nanos = 1_000L * (1 + (number + n) % 50);
                long start = System.nanoTime();
                Go.sleep(Duration.ofNanos(nanos));
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(nanos);
              }
              woken.incrementAndGet();
            });
      }
      for (int i = 0; i < 500; i++) {
        scheduler.procs(1);
        scheduler.procs(procs);
      }
      over.set(true);
      Await.until(scheduler::goroutines, 0);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
    assertThat(uncaught).isEmpty();
    assertThat(woken).hasValue(200);
  }

  @Test
  void t1_earlierSleepWakesTheTimekeeper() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Goroutine later = scheduler.go(() -> sleepUntilInterrupted(LONG));
      for (int round = 1; round <= 200; round++) {
        awaitSleeping(later);
        Await.idle(scheduler);
        scheduler.go(() -> sleep(Duration.ofNanos(50_000))).join();
        assertThat(woken).hasValue(round);
      }
      later.interrupt();
    }
  }

  private Scheduler.Builder builder() {
    return Busy.withLongSlice().uncaught((g, e) -> uncaught.add(e));
  }

  /** Starts sleepers from each of {@code procs} goroutines that keep a P, and returns how many. */
  private int sleepOnEveryP(Scheduler scheduler, int procs, Duration d) {
    try (Busy _ =
        Busy.start(
            scheduler,
            procs,
            () -> {
              for (int i = 0; i < 10; i++) {
                Go.go(() -> sleep(d));
              }
            })) {
      return 10 * procs;
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

  private static boolean awaitWithoutUnmounting(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      VirtualThreads.osYield();
    }
    return true;
  }

  private static void compute(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static void awaitSleeping(Goroutine g) {
    Await.until(g::waitReason, "sleep");
  }
}
