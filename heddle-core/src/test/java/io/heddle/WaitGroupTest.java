package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class WaitGroupTest {
  private static final String REASON = "sync.WaitGroup.Wait";

  private final WaitGroup group = new WaitGroup();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void awaitReturnsAfterAllTasksRepeatedly(int procs) throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            for (int round = 1; round <= 20; round++) {
              for (int i = 0; i < 100; i++) {
                group.go(done::incrementAndGet);
              }
              group.await();
              assertThat(done).hasValue(100 * round);
            }
          });
    }
    assertThat(group).hasToString("WaitGroup[0]");
  }

  @Test
  void everyWaiterContinues() throws Exception {
    group.add(2);
    try (Scheduler scheduler = OneP.scheduler()) {
      List<Goroutine> waiters = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Goroutine g = scheduler.go(group::await);
        Await.until(g::waitReason, REASON);
        waiters.add(g);
      }
      Thread platform =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      group.await();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
      Await.until(platform::getState, Thread.State.WAITING);
      group.done();
      assertThat(waiters).allMatch(g -> g.thread().isAlive());
      group.done();
      for (Goroutine g : waiters) {
        g.join();
      }
      platform.join();
    }
  }

  @Test
  void negativeCounterThrows() throws Exception {
    assertThatThrownBy(group::done)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("negative WaitGroup counter");
    group.add(1);
    assertThatThrownBy(() -> group.add(-2)).isInstanceOf(IllegalStateException.class);
    group.done();
    group.await();
    group.add(Integer.MAX_VALUE);
    assertThatThrownBy(() -> group.add(1)).isInstanceOf(IllegalStateException.class);
    group.add(-Integer.MAX_VALUE);
    group.await();
  }

  @Test
  void timeoutEndsTheWaitOfOneWaiter() throws Exception {
    assertThat(group.await(Duration.ZERO)).isTrue();
    group.add(1);
    assertThat(group.await(Duration.ZERO)).isFalse();
    assertThat(group.await(Duration.ofMillis(1))).isFalse();
    Goroutine waiter = Go.go(group::await);
    Await.until(waiter::waitReason, REASON);
    assertThat(group.await(Duration.ofMillis(1))).isFalse();
    group.done();
    waiter.join();
    assertThat(group.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
  }

  @Test
  void interruptEndsTheWaitOfOneWaiter() throws Exception {
    group.add(1);
    AtomicInteger interrupted = new AtomicInteger();
    Goroutine hasty =
        Go.go(
            () -> {
              try {
                group.await();
              } catch (InterruptedException e) {
                interrupted.incrementAndGet();
              }
            });
    Goroutine patient = Go.go(group::await);
    Await.until(hasty::waitReason, REASON);
    Await.until(patient::waitReason, REASON);
    hasty.interrupt();
    hasty.join();
    assertThat(interrupted).hasValue(1);
    assertThat(patient.waitReason()).isEqualTo(REASON);
    group.done();
    patient.join();
  }

  /**
   * When an interrupt and the end of the wait coincide, one of them is seen and the other is not
   * lost.
   */
  @Test
  void interruptAtTheEndIsNotLost() throws Exception {
    AtomicInteger seen = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      for (int i = 0; i < 1_000; i++) {
        WaitGroup each = new WaitGroup();
        each.add(1);
        Goroutine waiter =
            scheduler.go(
                () -> {
                  try {
                    each.await();
                    while (!Thread.interrupted()) {
                      Go.gosched();
                    }
                    seen.incrementAndGet();
                  } catch (InterruptedException e) {
                    seen.incrementAndGet();
                  }
                });
        scheduler.go(each::done);
        waiter.interrupt();
        waiter.join();
      }
    }
    assertThat(seen).hasValue(1_000);
  }

  @Test
  void taskThatThrowsCountsAsDone() throws Exception {
    AtomicInteger thrown = new AtomicInteger();
    try (Scheduler scheduler =
        Scheduler.builder().uncaught((g, t) -> thrown.incrementAndGet()).build()) {
      scheduler.run(
          () -> {
            group.go(
                () -> {
                  throw new IllegalArgumentException("expected");
                });
            group.await();
          });
    }
    assertThat(thrown).hasValue(1);
    assertThatThrownBy(() -> group.go(null)).isInstanceOf(NullPointerException.class);
    assertThat(group).hasToString("WaitGroup[0]");
  }

  @Test
  void dumpShowsWhereTheGoroutineWasStarted() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      WaitGroup gate = new WaitGroup();
      gate.add(1);
      scheduler.run(() -> Await.until(group.go(gate::await)::waitReason, REASON));
      assertThat(scheduler.dump()).contains("WaitGroupTest.java");
      gate.done();
    }
  }
}
