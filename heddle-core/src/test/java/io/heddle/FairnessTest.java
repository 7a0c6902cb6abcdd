package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Nobody starves, however busy the others keep one P with each other: rules F1 and Q4. */
@HangGuard
class FairnessTest {
  private static final Duration TINY = Duration.ofNanos(50_000);

  private volatile boolean over;

  @Test
  void f1_goroutinesThatRespawnEachOtherDoNotStarveTheGlobalQueue() throws Exception {
    // The slice is an hour: only the look at the global queue each 61st time lets the third one in.
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
  void q4_twoThatHandOverForEverDoNotStarveTheRing() throws Exception {
    AtomicReference<Goroutine> inRing = new AtomicReference<>();
    try (Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(TINY).build()) {
      // Started while they hand over: the unpark that follows kicks it to the ring.
      startPair(scheduler, () -> inRing.set(Go.go(() -> over = true)));
      Await.until(() -> inRing.get() != null);
      inRing.get().join();
    }
    assertThat(over).isTrue();
  }

  @Test
  void q4_twoThatHandOverForEverDoNotStarveTheGlobalQueue() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    try (Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(TINY).build()) {
      startPair(scheduler, runs::countDown);
      runs.await();
      scheduler.go(() -> over = true).join();
    }
    assertThat(over).isTrue();
  }

  @Test
  void g6_oneThatYieldsForEverStarvesNobody() throws Exception {
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

  /** Its successor is kicked to the ring by a second start, so the ring is never empty, and slices begin anew. */
  private void respawn() {
    if (!over) {
      Go.go(this::respawn);
      Go.go(() -> {});
    }
  }

  /** Two goroutines that wake each other until it is over; {@code early} is done by one of them after a while. */
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
