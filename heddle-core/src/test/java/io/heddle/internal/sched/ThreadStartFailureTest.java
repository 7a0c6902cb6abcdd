package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.wait.Sleep;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An OS thread that cannot be started loses neither its P nor a goroutine: rule N4. */
@HangGuard
class ThreadStartFailureTest {
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void n4_reachedLimitIsLoggedOnceWithTheRemedy() throws Exception {
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch running = new CountDownLatch(1);
      bare.go(() -> compute(running, over));
      running.await();
      for (int i = 0; i < 10; i++) {
        bare.go(runs::incrementAndGet); // there is an idle P for the goroutine, but no M
      }
      over.set(true);
      Await.until(runs::get, 10);
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("scheduler bare")
          .contains("the limit of 1 threads is reached")
          .contains("maxThreads")
          .contains("heddle.maxthreads");
    }
  }

  @Test
  void n4_everyGoroutineRunsAtTheLimit() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(8).maxThreads(3).open()) {
      startTree(bare, 6);
      Await.until(bare.sched()::goroutines, 0);
      assertThat(runs).hasValue(1093); // 1 + 3 + 9 + … + 3^6
      assertThat(SchedCounters.of(bare.sched()).threads()).isLessThanOrEqualTo(3);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /**
   * The only M checks for work a last time and goes to sleep, while another M is wanted and cannot
   * be started.
   */
  @Test
  void n4_goroutineStartedWhileTheOnlyMGoesToSleepRuns() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      startOneByOne(bare, 30_000);
    }
  }

  @Test
  void n4_refusedThreadIsStartedLater() throws Exception {
    Refusals starter = new Refusals(5);
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(4).starter(starter).open()) {
      int trees = 0;
      while (starter.left.get() >= 0) { // until one more thread is started
        startTree(bare, 4);
        trees++;
        Await.until(bare.sched()::goroutines, 0);
      }
      bare.awaitIdle();
      Invariants.check(bare.sched());
      assertThat(runs).hasValue(trees * 121);
      assertThat(log.messages()).singleElement().asString().contains("no thread, says the test");
    }
  }

  @Test
  void n4_onlyMRunsAllGoroutinesIfNoThreadStarts() throws Exception {
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      startOneByOne(bare, 30_000);
    }
  }

  /**
   * It yields to a goroutine that computes. That goroutine continues on this M, and an idle P
   * remains for the yielding one.
   */
  @Test
  void f5_yieldingGoroutineRunsElsewhereOnceAThreadCanStart() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      bare.awaitIdle();
      bare.go(() -> {}).join(); // a second thread is wanted, and its refusal is logged
      Await.until(() -> !bare.sched().attentionNeeded && bare.isIdle());
      CountDownLatch running = new CountDownLatch(1);
      bare.go(
          () -> {
            bare.go(() -> compute(running, over));
            starter.left.set(0);
            Await.until(bare.sched().threads::canObtainM);
            Thread.yield();
            runs.incrementAndGet();
          });
      try {
        running.await();
        Await.until(runs::get, 1);
      } finally {
        over.set(true);
      }
    }
  }

  @Test
  void n4_lastMStaysWhileTheStartOfAnotherFails() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Refusals slow = new Refusals(Integer.MAX_VALUE);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).idleTime(10_000).starter(slow).open()) {
      CountDownLatch running = new CountDownLatch(1);
      bare.go(() -> compute(running, over));
      running.await();
      Thread starter = Thread.currentThread();
      slow.before =
          () -> {
            if (Thread.currentThread() != starter || over.getAndSet(true)) {
              return; // refused at once: the first thread itself or sysmon may want a thread
            }
            // The first thread runs the other goroutines, and then has nothing to do.
            Await.until(bare.sched()::goroutines, 0);
            LockSupport.parkNanos(5_000_000); // longer than the idle time after which it would end
          };
      int started = 0;
      while (!over.get()) { // until a second thread is wanted
        bare.go(runs::incrementAndGet);
        started++;
      }
      Await.until(runs::get, started);
      assertThat(SchedCounters.of(bare.sched()).threads()).isEqualTo(1);
      bare.go(runs::incrementAndGet);
      Await.until(runs::get, started + 1);
    }
  }

  /** Only sysmon runs scheduler code. */
  @Test
  void n4_sysmonRetriesTheStartWhileEveryMComputes() throws Exception {
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    AtomicBoolean over = new AtomicBoolean();
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      CountDownLatch running = new CountDownLatch(1);
      bare.go(() -> compute(running, over));
      running.await();
      for (int i = 0; i < 10; i++) {
        bare.go(runs::incrementAndGet);
      }
      int refused = Integer.MAX_VALUE - starter.left.get();
      assertThat(refused).isPositive();
      Await.until(() -> Integer.MAX_VALUE - starter.left.get() > refused);
      assertThat(runs).hasValue(0);
      starter.left.set(0);
      Await.until(runs::get, 10);
      over.set(true);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /** The P was taken by force from a computing goroutine, and there was no thread for it. */
  @Test
  void n4_retakenPIsNotLostWhenNoThreadStarts() throws Exception {
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    AtomicBoolean over = new AtomicBoolean();
    try (LogCapture _ = new LogCapture();
        BareSched bare =
            new BareSched().procs(1).timeSlice(Duration.ofMillis(1)).starter(starter).open()) {
      CountDownLatch running = new CountDownLatch(1);
      bare.go(() -> compute(running, over));
      running.await();
      bare.go(runs::incrementAndGet);
      Await.until(() -> starter.left.get() < Integer.MAX_VALUE);
      assertThat(runs).hasValue(0);
      starter.left.set(0);
      Await.until(runs::get, 1);
      over.set(true);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /** The timekeeper is in no idle list, and it is the only M. */
  @Test
  void n4_timekeeperRunsGoroutinesAtTheLimit() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleepForLong(bare));
      for (int i = 1; i <= 1_000; i++) {
        Await.until(bare.sched().timekeeper::isKept);
        bare.go(runs::incrementAndGet);
        Await.until(runs::get, i);
      }
      sleeper.thread().interrupt();
      sleeper.join();
    }
  }

  @Test
  void n4_timekeeperRunsGoroutinesWhenNoThreadStarts() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(new Refusals(Integer.MAX_VALUE)).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleepForLong(bare));
      for (int i = 1; i <= 100; i++) {
        Await.until(bare.sched().timekeeper::isKept);
        bare.go(runs::incrementAndGet);
        Await.until(runs::get, i);
      }
      sleeper.thread().interrupt();
      sleeper.join();
    }
  }

  private static void sleepForLong(BareSched bare) {
    try {
      Sleep.sleep(bare.sched(), Duration.ofHours(1).toNanos());
    } catch (InterruptedException e) {
      // As intended.
    }
  }

  /** Keeps its core, so that it starts the next goroutine just when the M is about to sleep. */
  private void startOneByOne(BareSched bare, int rounds) {
    for (int round = 1; round <= rounds && !Thread.currentThread().isInterrupted(); round++) {
      bare.go(runs::incrementAndGet);
      while (runs.get() != round && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
    }
    assertThat(runs).hasValue(rounds);
  }

  private void startTree(BareSched bare, int depth) {
    bare.go(
        () -> {
          runs.incrementAndGet();
          for (int i = 0; i < 3 && depth > 0; i++) {
            startTree(bare, depth - 1);
          }
        });
  }

  private static void compute(CountDownLatch running, AtomicBoolean over) {
    running.countDown();
    while (!over.get()) {
      VirtualThreads.osYield();
    }
  }

  /** Starts the first thread, refuses the next {@code n}, then starts threads again. */
  private static final class Refusals implements Consumer<Thread> {
    final AtomicInteger left;
    volatile Runnable before = () -> {};
    private final AtomicBoolean first = new AtomicBoolean(true);

    Refusals(int n) {
      left = new AtomicInteger(n);
    }

    @Override
    public void accept(Thread thread) {
      if (!first.getAndSet(false) && left.getAndDecrement() > 0) {
        before.run();
        throw new OutOfMemoryError("no thread, says the test");
      }
      thread.start();
    }
  }
}
