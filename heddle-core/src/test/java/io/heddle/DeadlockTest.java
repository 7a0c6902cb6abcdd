package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule G4: a main goroutine that can never continue is reported, and no other. */
@HangGuard
@Tag("jdks")
class DeadlockTest {
  /**
   * Without the fix that this test covers, 500 rounds beside two endless loops failed three times
   * out of four.
   */
  private static final int ROUNDS = 200;

  /** Threads of other tests: their schedulers may have the same name. */
  private final Set<Thread> others = Thread.getAllStackTraces().keySet();

  private final Scheduler scheduler = Scheduler.builder().name("dead").procs(2).build();
  private final ReentrantLock first = new ReentrantLock();
  private final ReentrantLock second = new ReentrantLock();
  private final Object monitor = new Object();

  /** The scheduler is not closed, because its goroutines wait forever. */
  @AfterEach
  @HangGuard
  void schedulerIsStillUsable() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    scheduler.run(() -> ran.set(true));
    assertThat(ran).isTrue();
  }

  @Test
  void g4_goroutinesWaitingForEachOthersLockAreReported() {
    DeadlockException e = deadlock(() -> deadlockTwoLocks(first, second));
    assertThat(e.getMessage())
        .startsWith("deadlock!\n")
        .containsPattern("goroutine \\d+ \"main\" waits for .*ReentrantLock.* of goroutine \\d+")
        .containsPattern("goroutine \\d+ \"other\" waits for .*ReentrantLock.* of goroutine \\d+");
    assertThat(e.dump()).contains("\"main\" [park (ReentrantLock)]", "\"other\"", "created by");
  }

  /** Sysmon may look while an M is about to sleep, and then fall asleep itself. */
  @Tag("full")
  @Test
  void g4_everyDeadlockIsReported() {
    for (int round = 0; round < ROUNDS; round++) {
      deadlock(
          () -> {
            Goroutine main = Go.current();
            Go.go("other", main::join).join();
          });
    }
  }

  @Test
  void g4_mainWaitingForDeadlockedGoroutineIsReported() {
    DeadlockException e =
        deadlock(
            () -> {
              Goroutine g = Go.go("a", () -> deadlockTwoLocks(first, second));
              g.join();
            });
    assertThat(e.getMessage().lines()).hasSize(4); // the title, then main, a and other
  }

  @Test
  void g4_deadlockOfLockAndMonitorIsReported() {
    CyclicBarrier both = new CyclicBarrier(2);
    deadlock(
        () -> {
          Go.go(
              "other",
              () -> {
                first.lock();
                both.await();
                synchronized (monitor) {
                  throw new IllegalStateException("unreachable");
                }
              });
          synchronized (monitor) {
            both.await();
            first.lock();
          }
        });
  }

  @Test
  void g4_mainThatJoinsItselfIsReported() {
    DeadlockException e = deadlock(() -> Go.current().join());
    assertThat(e.getMessage()).contains("waits for Thread.join of goroutine");
  }

  @Test
  void g4_deadlockIsReportedWhileOthersSleep() {
    scheduler.go(() -> Go.sleep(Duration.ofDays(1)));
    deadlock(() -> deadlockTwoLocks(first, second));
  }

  /** Such a goroutine keeps sysmon from sleeping for good. */
  @Test
  void g4_deadlockIsReportedBesideIntermittentlyBusyGoroutine() {
    AtomicBoolean over = new AtomicBoolean();
    scheduler.go(
        () -> {
          while (!over.get()) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 7_000_000) {
              Thread.onSpinWait();
            }
            Go.sleep(Duration.ofMillis(35));
          }
        });
    deadlock(() -> deadlockTwoLocks(first, second));
    over.set(true);
  }

  @Test
  void g4_deadlockIsReportedToTheCallerOfRun() throws Exception {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    try (Scheduler outer = Scheduler.builder().procs(1).build()) {
      outer.run(
          () -> {
            try {
              scheduler.run(() -> deadlockTwoLocks(first, second));
            } catch (DeadlockException e) {
              seen.set(e);
            }
          });
    }
    assertThat(seen.get()).isInstanceOf(DeadlockException.class);
  }

  @Test
  void g4_detectionCanBeSwitchedOff() throws Exception {
    Scheduler silent = Scheduler.builder().name("silent").procs(1).deadlockDetection(false).build();
    Thread waiter = runOutside(silent, () -> deadlockTwoLocks(first, second));
    Await.until(() -> silent.dump().contains("\"main\" [park (ReentrantLock)]"));
    awaitSysmonAsleep("silent");
    assertThat(waiter.isAlive()).isTrue();
    waiter.interrupt(); // passed on to main, which ignores it
    assertThat(waiter.isAlive()).isTrue();
  }

  /** A foreign thread could end each of these waits, and does. */
  @ParameterizedTest
  @ValueSource(strings = {"park", "semaphore", "latch", "wait", "lock held outside", "join"})
  void g4_waitThatForeignThreadMayEndIsNotReported(String how) throws Exception {
    AtomicReference<Thread> main = new AtomicReference<>();
    Semaphore semaphore = new Semaphore(0);
    CountDownLatch latch = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    first.lock(); // by this thread
    Thread waiter =
        runOutside(
            scheduler,
            () -> {
              main.set(Thread.currentThread());
              switch (how) {
                case "park" -> parkUntil(over);
                case "semaphore" -> semaphore.acquire();
                case "latch" -> latch.await();
                case "wait" -> waitUntil(over);
                case "lock held outside" -> first.lock();
                default -> Go.go(() -> parkUntil(over)).join();
              }
            });
    Await.until(() -> main.get() != null);
    Await.idle(scheduler);
    awaitSysmonAsleep("dead");
    assertThat(waiter.isAlive()).isTrue();
    over.set(true);
    semaphore.release();
    latch.countDown();
    first.unlock();
    synchronized (monitor) {
      monitor.notifyAll();
    }
    while (waiter.isAlive()) {
      scheduler.go(() -> {});
      unparkAll();
    }
    assertThat(thrown.get()).isNull();
  }

  @Test
  void g4_timedLockIsNotReported() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    scheduler.run(
        () -> {
          Goroutine g =
              Go.go(
                  () -> {
                    second.lock();
                    both.await();
                    first.lock();
                    first.unlock();
                    second.unlock();
                  });
          first.lock();
          both.await();
          assertThat(second.tryLock(200, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();
          first.unlock();
          g.join();
        });
  }

  private final AtomicReference<Throwable> thrown = new AtomicReference<>();

  private Thread runOutside(Scheduler on, Task main) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                on.run(main);
              } catch (Throwable t) {
                thrown.set(t);
              }
            });
  }

  private DeadlockException deadlock(Task main) {
    DeadlockException e = catchThrowableOfType(DeadlockException.class, () -> scheduler.run(main));
    assertThat(e).isNotNull();
    return e;
  }

  /** The caller and another goroutine take two locks, each in its own order. */
  private static void deadlockTwoLocks(ReentrantLock mine, ReentrantLock its) throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Go.go(
        "other",
        () -> {
          its.lock();
          both.await();
          mine.lock();
        });
    mine.lock();
    both.await();
    its.lock();
  }

  private static void parkUntil(AtomicBoolean over) {
    while (!over.get()) {
      LockSupport.park();
    }
  }

  private void waitUntil(AtomicBoolean over) throws InterruptedException {
    synchronized (monitor) {
      while (!over.get()) {
        monitor.wait();
      }
    }
  }

  private void unparkAll() {
    scheduler.sched().registry().forEach(g -> LockSupport.unpark(g.thread()));
  }

  /** Waits until sysmon sleeps: it has then looked for deadlocks and found none. */
  private void awaitSysmonAsleep(String name) {
    Await.until(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !others.contains(thread))
                .anyMatch(
                    thread ->
                        thread.getName().equals("heddle-" + name + "-sysmon")
                            && thread.getState() == Thread.State.WAITING));
  }
}
