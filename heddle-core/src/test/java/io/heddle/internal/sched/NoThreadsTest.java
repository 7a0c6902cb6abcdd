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

/** A thread that cannot be had loses neither its P nor any goroutine: rule N4. */
@HangGuard
class NoThreadsTest {
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void n4_reachingTheLimitIsLoggedOnceAndSaysHowToRaiseIt() throws Exception {
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch running = new CountDownLatch(1);
      bare.go(() -> compute(running, over));
      running.await();
      for (int i = 0; i < 10; i++) {
        bare.go(runs::incrementAndGet); // there is an idle P for it, and no M
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
  void n4_atTheLimitEveryGoroutineRunsAndNoPIsLost() throws Exception {
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

  /** The only M looks around for the last time and goes to sleep, while another is wanted and cannot be had. */
  @Test
  void n4_atTheLimitAGoroutineStartedWhileTheLastThreadGoesToSleepRuns() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      startOneByOne(bare, 30_000);
    }
  }

  @Test
  void n4_aThreadThatCannotBeStartedNowCanLater() throws Exception {
    Refusals starter = new Refusals(5);
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(4).starter(starter).open()) {
      int trees = 0;
      while (starter.left.get() >= 0) { // until one more is started
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
  void n4_whenNoneCanBeStartedTheOneThatIsThereRunsThemAll() throws Exception {
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      startOneByOne(bare, 30_000);
    }
  }

  /** It yields to one that computes: then it is that one that runs here, and there is an idle P for itself. */
  @Test
  void f5_whoYieldsToAnotherRunsElsewhereAsSoonAsAThreadCanBeHad() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Refusals starter = new Refusals(Integer.MAX_VALUE);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      bare.awaitIdle();
      bare.go(() -> {}).join(); // a second thread is wanted, and the complaint is made
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
  void n4_theLastThreadDoesNotEndWhileAnotherIsBeingStartedInVain() throws Exception {
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
              return; // refused at once: it may be the first thread itself that asks, or sysmon
            }
            // The first thread runs the rest, and has nothing more to do.
            Await.until(bare.sched()::goroutines, 0);
            LockSupport.parkNanos(5_000_000); // so long that it could be tired of waiting
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

  /** Nobody comes by the scheduler but sysmon. */
  @Test
  void n4_whileEveryThreadComputesSysmonTriesAgainUntilAnotherCanBeHad() throws Exception {
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

  /** The P was taken by force from a goroutine that computes, and there was no thread for it. */
  @Test
  void n4_aPTakenByForceWhileNoThreadCanBeHadIsNotLost() throws Exception {
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

  /** An M that keeps the time is in no idle list, and the only one there is. */
  @Test
  void n4_atTheLimitTheThreadThatWaitsForATimerRunsOthers() throws Exception {
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
  void n4_whenNoThreadCanBeStartedTheOneThatWaitsForATimerRunsOthers() throws Exception {
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

  /** Keeps its core, so as to be there with the next one when the M is about to sleep. */
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

  /** Starts the first thread, then refuses so many, then starts again. */
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
