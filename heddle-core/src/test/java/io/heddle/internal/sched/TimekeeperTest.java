package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.wait.Sleep;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The timekeeper, an M that sleeps until the next timer: it exists while there are timers, and runs
 * goroutines when needed (rules T1, N4, F7).
 */
@HangGuard
class TimekeeperTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long IDLE_TIME = 10_000_000;

  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();

  @Test
  void t1_oneIdleMIsTimekeeperWhileThereAreTimers() throws Exception {
    try (BareSched bare = new BareSched().procs(4).open()) {
      bare.awaitIdle();
      assertThat(bare.sched().timekeeper.isKept()).isFalse();
      BareSched.BareG sleeper = bare.go(() -> sleep(bare, HOUR));
      awaitKept(bare);
      assertThat(bare.sched().timekeeper.isUnwatched()).isFalse();
      Invariants.check(bare.sched());
      interrupt(sleeper);
    }
    assertThat(interrupted).hasValue(1);
  }

  @Test
  void n4_timekeeperRunsGoroutinesAtTheLimit() throws Exception {
    try (BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(bare, HOUR));
      awaitKept(bare);
      bare.go(runs::incrementAndGet);
      Await.until(runs::get, 1);
      awaitKept(bare);
      Invariants.check(bare.sched());
      interrupt(sleeper);
    }
  }

  @Test
  void n4_timekeeperReplacesAThreadThatCannotStart() throws Exception {
    AtomicBoolean refuses = new AtomicBoolean();
    Consumer<Thread> starter =
        thread -> {
          if (refuses.get()) {
            throw new OutOfMemoryError("no thread, says the test");
          }
          thread.start();
        };
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(1).starter(starter).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(bare, HOUR));
      awaitKept(bare);
      refuses.set(true);
      for (int i = 1; i <= 100; i++) {
        bare.go(runs::incrementAndGet);
        Await.until(runs::get, i);
      }
      interrupt(sleeper);
    }
  }

  /**
   * The only M checks for work a last time and becomes the timekeeper, while another M is wanted.
   */
  @Test
  void n4_goroutineStartedWhileTheOnlyMBecomesTimekeeperRuns() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(bare, HOUR));
      for (int round = 1; round <= 30_000 && !Thread.currentThread().isInterrupted(); round++) {
        bare.go(runs::incrementAndGet);
        while (runs.get() != round && !Thread.currentThread().isInterrupted()) {
          Thread.onSpinWait();
        }
      }
      assertThat(runs).hasValue(30_000);
      interrupt(sleeper);
    }
  }

  /** Timers are armed and fire while the only M is about to become the timekeeper, or is it. */
  @Test
  void t1_shortSleepsEndAtTheLimit() throws Exception {
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).maxThreads(1).open()) {
      for (int i = 0; i < 20; i++) {
        int nanos = 1 + 10_000 * i;
        bare.go(
            () -> {
              for (int n = 0; n < 200; n++) {
                sleep(bare, nanos);
                runs.incrementAndGet();
              }
            });
      }
      Await.until(runs::get, 4_000);
      Await.until(bare.sched()::goroutines, 0);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /**
   * The sleeper's P was given up, so no M passes that would become the timekeeper: the thread that
   * arms the timer must make sure of one.
   */
  @Test
  void t1_pinnedSleepInBlockingCallEnds() throws Exception {
    for (int round = 0; round < 200; round++) {
      try (BareSched bare = new BareSched().procs(1).open()) {
        BareSched.BareG sleeper = bare.go(() -> sleepPinnedInACall(bare, 1_000_000));
        bare.sched().procs(2);
        bare.sched().procs(1);
        sleeper.join();
      }
    }
  }

  @Test
  void timekeeperWritesTheDeferredLog() {
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(1).maxThreads(1).idleTime(IDLE_TIME).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(bare, HOUR));
      awaitKept(bare);
      bare.sched().logLater("something to say", null); // and no M is woken
      // On a busy machine the monitor may also log that the limit of threads is reached.
      Await.until(
          () -> log.messages().stream().anyMatch(message -> message.contains("something to say")));
      awaitKept(bare);
      interrupt(sleeper);
    }
  }

  @Test
  void goroutineStartedAfterCloseCanSleep() throws Exception {
    BareSched bare = new BareSched().procs(2).open();
    BareSched.BareG interruptedOne =
        bare.go(() -> sleep(bare, HOUR)); // its timer stays in the heap
    awaitKept(bare);
    interrupt(interruptedOne);
    bare.close();
    BareSched.BareG straggler =
        bare.newG(
            () -> {
              sleep(bare, 2_000_000);
              runs.incrementAndGet();
            });
    bare.sched().start(straggler);
    straggler.join();
    assertThat(runs).hasValue(1);
    Await.until(bare.sched().threads.all()::isEmpty);
  }

  /** An M that must give up a P that is stopped must not end up with two Ps. */
  @Test
  void p1_blockingCallThatBeginsWhileTheWorldIsStoppedGivesUpItsP() throws Exception {
    try (BareSched bare = new BareSched().procs(3).open()) {
      AtomicBoolean over = new AtomicBoolean();
      for (int i = 0; i < 4; i++) {
        bare.go(() -> block(over));
      }
      for (int i = 0; i < 20_000; i++) {
        bare.sched().procs(2 + i % 3);
      }
      over.set(true);
      Await.until(bare.sched()::goroutines, 0);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  @Test
  void t1_earlierTimerWakesTheTimekeeper() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      BareSched.BareG later = bare.go(() -> sleep(bare, HOUR));
      for (int round = 0; round < 200; round++) {
        awaitKept(bare);
        bare.go(() -> sleep(bare, 100_000)).join();
      }
      interrupt(later);
    }
  }

  /** No thread with a P passes the timer that is armed. */
  @Test
  void t1_timerArmedByForeignThreadFires() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      for (int round = 0; round < 500; round++) {
        bare.awaitIdle();
        CountDownLatch fired = new CountDownLatch(1);
        new Bell(fired).arm(bare.sched().timersOfCaller(), 1, 0);
        fired.await();
        new Bell(new CountDownLatch(1)).arm(bare.sched().timersOfCaller(), Long.MAX_VALUE, 0);
      }
    }
  }

  private static void awaitKept(BareSched bare) {
    Await.until(() -> bare.isIdle() && bare.sched().timekeeper.isKept());
  }

  private static void interrupt(BareSched.BareG g) {
    g.thread().interrupt();
  }

  private void sleep(BareSched bare, long nanos) {
    try {
      Sleep.sleep(bare.sched(), nanos);
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
    }
  }

  private void sleepPinnedInACall(BareSched bare, long nanos) {
    boolean entered = BlockingCalls.enter();
    boolean pinned = VirtualThreads.pin();
    sleep(bare, nanos);
    if (pinned) {
      VirtualThreads.unpin();
    }
    if (entered) {
      BlockingCalls.exit();
    }
  }

  private static void block(AtomicBoolean over) {
    while (!over.get()) {
      boolean entered = BlockingCalls.enter();
      VirtualThreads.osYield(); // does not unmount, as a park would
      if (entered) {
        BlockingCalls.exit();
      }
    }
  }

  /** Fires once. */
  private static final class Bell extends Deadline {
    private final CountDownLatch rung;

    Bell(CountDownLatch rung) {
      this.rung = rung;
    }

    @Override
    protected void fire(long generation) {
      rung.countDown();
    }
  }
}
