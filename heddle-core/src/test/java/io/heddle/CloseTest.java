package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Scheduler#close} and {@link Scheduler#shutdownNow}. */
@HangGuard
class CloseTest {
  private final AtomicInteger ended = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void closeWaitsForGoroutines(int procs) {
    for (int round = 1; round <= 200; round++) {
      try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
        for (int i = 0; i < 10; i++) {
          scheduler.go(
              () -> {
                Go.gosched();
                ended.incrementAndGet();
              });
        }
      }
      assertThat(ended).hasValue(10 * round);
    }
  }

  @Test
  void closeWaitsForParkedGoroutine() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    Goroutine parked =
        scheduler.go(
            () -> {
              LockSupport.park();
              ended.incrementAndGet();
            });
    Thread closer = startClosing(scheduler);
    assertThat(closer.isAlive()).isTrue();
    LockSupport.unpark(parked.thread());
    closer.join();
    assertThat(ended).hasValue(1);
  }

  @Test
  void goroutinesMayStartGoroutinesDuringClose() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(2).build();
    CountDownLatch gate = new CountDownLatch(1);
    scheduler.go(
        () -> {
          gate.await();
          startChain(100);
        });
    Thread closer = startClosing(scheduler);
    gate.countDown();
    closer.join();
    assertThat(ended).hasValue(100);
  }

  @Test
  void noThreadOutlivesClose() throws Exception {
    for (int round = 0; round < 50; round++) {
      try (Scheduler scheduler = Scheduler.builder().name("left-behind").procs(4).build()) {
        for (int i = 0; i < 50; i++) {
          scheduler.go(() -> Go.gosched());
        }
      }
      Await.until(() -> threadsOf("left-behind").isEmpty());
    }
  }

  @Test
  void secondCloseDoesNothing() {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    scheduler.close();
    scheduler.close();
    scheduler.shutdownNow();
    assertThat(scheduler.stats().threads()).isZero();
  }

  @Test
  void twoThreadsMayCloseAtOnce() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    Goroutine parked = scheduler.go(() -> LockSupport.park());
    Thread first = startClosing(scheduler);
    Thread second = startClosing(scheduler);
    LockSupport.unpark(parked.thread());
    first.join();
    second.join();
    assertThat(scheduler.stats().threads()).isZero();
  }

  @Test
  void schedulerCannotBeClosedByItsOwnGoroutine() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().name("own").procs(1).build()) {
      for (Task close : List.<Task>of(scheduler::close, scheduler::shutdownNow)) {
        assertThatThrownBy(() -> scheduler.run(close))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("scheduler own cannot be closed by one of its own goroutines");
      }
      scheduler.go(() -> {}).join(); // the failed close has not changed the scheduler
    }
  }

  @Test
  void sharedSchedulerCannotBeClosed() throws Exception {
    assertThatThrownBy(Scheduler.shared()::close)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("never closed");
    assertThatThrownBy(Scheduler.shared()::shutdownNow)
        .isInstanceOf(UnsupportedOperationException.class);
    Scheduler.shared().go(() -> {}).join();
  }

  @Test
  void useAfterCloseThrowsWithReason() {
    Scheduler scheduler = Scheduler.builder().name("gone").procs(1).build();
    scheduler.close();
    List<Task> uses =
        List.of(
            () -> scheduler.go(() -> {}),
            () -> scheduler.go("name", () -> {}),
            () -> scheduler.run(() -> {}),
            scheduler::executor,
            () -> scheduler.threadFactory().newThread(() -> {}));
    for (Task use : uses) {
      assertThatThrownBy(use::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("scheduler gone is closed");
    }
    assertThat(scheduler.goroutines()).isZero();
    assertThat(scheduler.dump()).contains("0 goroutines");
  }

  @Test
  void foreignThreadCannotStartGoroutineDuringClose() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    Goroutine parked = scheduler.go(() -> LockSupport.park());
    Thread closer = startClosing(scheduler);
    assertThatThrownBy(() -> scheduler.go(() -> {})).isInstanceOf(IllegalStateException.class);
    LockSupport.unpark(parked.thread());
    closer.join();
  }

  @Test
  void interruptOfTheCloserInterruptsTheGoroutines() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    scheduler.go(this::sleepUntilInterrupted);
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  scheduler.close();
                  stillInterrupted.set(Thread.currentThread().isInterrupted());
                });
    Await.until(() -> closer.getState() == Thread.State.WAITING);
    closer.interrupt();
    closer.join();
    assertThat(ended).hasValue(1);
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void shutdownNowInterruptsGoroutinesAndWaits() {
    Scheduler scheduler = Scheduler.builder().procs(2).build();
    for (int i = 0; i < 100; i++) {
      scheduler.go(this::sleepUntilInterrupted);
    }
    scheduler.shutdownNow();
    assertThat(ended).hasValue(100);
    assertThat(scheduler.stats().threads()).isZero();
  }

  @Test
  void threadCreatedBeforeCloseAndStartedAfterwardsRuns() throws Exception {
    Scheduler scheduler = Scheduler.builder().name("straggler").procs(2).build();
    AtomicReference<Scheduler> seen = new AtomicReference<>();
    Thread straggler = scheduler.threadFactory().newThread(() -> seen.set(Scheduler.current()));
    scheduler.close();
    straggler.start();
    straggler.join();
    assertThat(seen.get()).isSameAs(scheduler);
    Await.until(() -> threadsOf("straggler").isEmpty());
  }

  @Test
  void threadStartedAfterCloseMayPark() throws Exception {
    Scheduler scheduler = Scheduler.builder().name("parking-straggler").procs(1).build();
    Thread straggler =
        scheduler
            .threadFactory()
            .newThread(
                () -> {
                  LockSupport.park();
                  ended.incrementAndGet();
                });
    scheduler.close();
    straggler.start();
    Await.until(
        () -> threadsOf("parking-straggler").isEmpty()); // the goroutine parked, and its M ended
    LockSupport.unpark(straggler);
    straggler.join();
    assertThat(ended).hasValue(1);
  }

  private Thread startClosing(Scheduler scheduler) {
    Thread closer = Thread.ofPlatform().start(scheduler::close);
    Await.until(() -> closer.getState() == Thread.State.WAITING);
    return closer;
  }

  private void startChain(int left) {
    if (left > 0) {
      ended.incrementAndGet();
      Go.go(() -> startChain(left - 1));
    }
  }

  private void sleepUntilInterrupted() {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException e) {
      ended.incrementAndGet();
    }
  }

  private static List<Thread> threadsOf(String scheduler) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("heddle-" + scheduler + "-M"))
        .toList();
  }
}
