package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Ms are created when needed, reused, and end after a long idle time: rule N4. */
@HangGuard
class MPoolTest {
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

  private final Set<Thread> used = ConcurrentHashMap.newKeySet();

  @Test
  void n4_idleMsAreReused() throws Exception {
    try (BareSched bare = new BareSched().procs(4).open()) {
      for (int burst = 0; burst < 200; burst++) {
        burst(bare, 50);
        bare.awaitIdle();
      }
      // An M that is about to enter the idle list cannot be reused yet, so there may be a few more
      // than there are Ps.
      assertThat(used).hasSizeLessThanOrEqualTo(16);
    }
  }

  @Test
  void n4_msThatAreIdleForLongEndExceptOne() throws Exception {
    try (BareSched bare = new BareSched().procs(8).idleTime(SHORT).open()) {
      CountDownLatch all = new CountDownLatch(8);
      for (int i = 0; i < 8; i++) {
        bare.go(() -> computeUntilAllDo(all));
      }
      Await.until(() -> all.getCount() == 0); // eight Ms at once
      Await.until(SchedCounters.of(bare.sched())::threads, 1);
      Await.until(() -> used.stream().filter(Thread::isAlive).count() <= 1);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
    assertThat(used).hasSize(8);
  }

  @Test
  void n4_goroutineStartedWhileIdleMsEndRuns() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (BareSched bare = new BareSched().procs(2).idleTime(1_000).open()) {
      for (int round = 1; round <= 5_000; round++) {
        bare.go(runs::incrementAndGet);
        Await.until(runs::get, round);
      }
      Await.until(SchedCounters.of(bare.sched())::threads, 1);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  @Test
  void n4_warningTellsOnceThatFourFifthsOfTheThreadsAreUsed() throws Exception {
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(10).maxThreads(10).open()) {
      compute(bare, 3); // and a few more threads that search
      assertThat(log.messages()).isEmpty();
      compute(bare, 9);
      Await.until(() -> log.messages().size(), 1);
      assertThat(log.messages().getFirst())
          .startsWith("scheduler bare: 8 of at most 10 threads are used; ")
          .contains("heddle.maxthreads");
      compute(bare, 9);
      assertThat(log.messages()).hasSize(1);
    }
  }

  /** Lets {@code n} goroutines compute at the same time. */
  private void compute(BareSched bare, int n) throws InterruptedException {
    CountDownLatch all = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      bare.go(() -> computeUntilAllDo(all));
    }
    Await.until(() -> all.getCount() == 0);
    bare.awaitIdle();
  }

  @Test
  void n4_schedulerWithoutAnyThreadFailsToOpen() {
    BareSched bare =
        new BareSched()
            .starter(
                _ -> {
                  throw new OutOfMemoryError("no thread, says the test");
                });
    assertThatThrownBy(bare::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("scheduler bare cannot start a thread")
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }

  /**
   * A foreign thread starts an M for a goroutine that another M runs meanwhile. close waits for the
   * new M as well.
   */
  @Test
  void closeWaitsForAnMThatIsAboutToStart() throws Exception {
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch mayStart = new CountDownLatch(1);
    AtomicInteger number = new AtomicInteger();
    BareSched bare =
        new BareSched()
            .procs(1) // so that the first M starts no other
            .starter(
                thread -> {
                  if (number.incrementAndGet() == 2) {
                    starting.countDown();
                    awaitUninterruptibly(mayStart);
                  }
                  thread.start();
                })
            .open();
    bare.awaitIdle(); // else the first M may not be asleep yet, and a second one is started at once
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    bare.go(
        () -> {
          running.countDown();
          Await.until(() -> busy.getCount() == 0);
        });
    running.await();
    bare.sched().procs(2);
    Thread outside = Thread.ofPlatform().start(() -> bare.go(() -> {}));
    starting.await(); // of the second M
    busy.countDown();
    Thread closer = Thread.ofPlatform().start(bare::close);
    Await.until(() -> bare.sched().threads.all().size() == 1); // the first M has ended
    assertThat(closer.join(Duration.ofMillis(100))).as("closed while one starts").isFalse();
    mayStart.countDown();
    outside.join();
    closer.join();
    assertThat(bare.sched().threads.all()).isEmpty();
    assertThat(SchedCounters.of(bare.sched()).threads()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void n4_interruptOfAnMHasNoEffect() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      burst(bare, 10);
      bare.awaitIdle();
      long parks = SchedCounters.of(bare.sched()).threadParks();
      used.forEach(Thread::interrupt);
      burst(bare, 10);
      bare.awaitIdle();
      assertThat(SchedCounters.of(bare.sched()).threadParks()).isGreaterThan(parks);
      assertThat(used).allMatch(Thread::isAlive);
    }
  }

  private void burst(BareSched bare, int n) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      bare.go(
          () -> {
            used.add(VirtualThreads.carrier());
            Thread.yield();
            used.add(VirtualThreads.carrier());
            ended.countDown();
          });
    }
    ended.await();
  }

  private void computeUntilAllDo(CountDownLatch all) {
    used.add(VirtualThreads.carrier());
    all.countDown();
    while (all.getCount() > 0) {
      VirtualThreads.osYield();
    }
  }
}
