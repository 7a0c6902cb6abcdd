package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** No goroutine starves, however long others keep one P among themselves: rules F1 and Q4. */
@HangGuard
class FairnessTest {
  private static final Duration TINY = Duration.ofNanos(50_000);

  private volatile boolean over;

  @Test
  void f1_respawningGoroutinesDoNotStarveTheGlobalQueue() throws Exception {
    // The slice is an hour: only the look at the global queue each 61st tick lets the third
    // goroutine run.
    try (Scheduler scheduler = OneP.scheduler()) {
      CountDownLatch runs = new CountDownLatch(1);
      scheduler.go(
          () -> {
            runs.countDown();
            respawn();
          });
      runs.await();
      scheduler.go(() -> over = true).join();
    }
    assertThat(over).isTrue();
  }

  @Test
  void q4_pairThatHandsOverForeverDoesNotStarveTheRing() throws Exception {
    AtomicReference<Goroutine> inRing = new AtomicReference<>();
    try (Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(TINY).build()) {
      // Started during the hand-over: the unpark that follows moves it to the ring.
      startPair(scheduler, () -> inRing.set(Go.go(() -> over = true)));
      Await.until(() -> inRing.get() != null);
      inRing.get().join();
    }
    assertThat(over).isTrue();
  }

  @Test
  void q4_pairThatHandsOverForeverDoesNotStarveTheGlobalQueue() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    try (Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(TINY).build()) {
      startPair(scheduler, runs::countDown);
      runs.await();
      scheduler.go(() -> over = true).join();
    }
    assertThat(over).isTrue();
  }

  @Test
  void g6_goroutineThatYieldsForeverStarvesNoOther() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      scheduler.go(
          () -> {
            while (!over) {
              Go.gosched();
            }
          });
      scheduler.go(() -> over = true).join();
    }
    assertThat(over).isTrue();
  }

  /**
   * A second start moves the first successor to the ring, so the ring is never empty, and each run
   * starts a new slice.
   */
  private void respawn() {
    if (!over) {
      Go.go(this::respawn);
      Go.go(() -> {});
    }
  }

  /**
   * Starts two goroutines that wake each other until {@code over}. One of them runs {@code early}
   * after a while.
   */
  private void startPair(Scheduler scheduler, Task early) throws Exception {
    scheduler.run(
        () -> {
          Thread[] pair = new Thread[2];
          CountDownLatch filled = new CountDownLatch(1);
          pair[0] = Go.go(() -> handOver(filled, pair, 1, early)).thread();
          pair[1] = Go.go(() -> handOver(filled, pair, 0, () -> {})).thread();
          filled.countDown(); // with so short a slice they may run before
        });
  }

  private void handOver(CountDownLatch filled, Thread[] pair, int other, Task early)
      throws Exception {
    filled.await();
    for (int round = 0; !over; round++) {
      if (round == 100) {
        early.run();
      }
      LockSupport.unpark(pair[other]);
      LockSupport.park();
    }
    LockSupport.unpark(pair[other]);
  }
}
