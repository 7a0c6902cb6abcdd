package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * The order in which goroutines run on one P: rules G2, G6, Q2, Q4 and Q5 as a program sees them.
 */
@HangGuard
class OrderTest {
  private final Queue<Object> log = new ConcurrentLinkedQueue<>();

  @RepeatedTest(100)
  void g2_tenGoroutinesOnOnePRunInOrder9_0_1_to_8() throws Exception {
    OneP.run(
        () -> {
          CountDownLatch ended = new CountDownLatch(10);
          for (int i = 0; i < 10; i++) {
            int number = i;
            Go.go(
                () -> {
                  log.add(number);
                  ended.countDown();
                });
          }
          ended.await();
        });
    assertThat(log).containsExactly(9, 0, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void g2_goNeverSwitchesTheCaller() throws Exception {
    OneP.run(
        () -> {
          startLogging(1_000);
          log.add("caller");
        });
    assertThat(log).hasSize(1_001).first().isEqualTo("caller");
  }

  @Test
  void q2_goroutineReadiedByAnotherRunsNext() throws Exception {
    OneP.run(
        () -> {
          Goroutine parked = goParked("woken");
          startLogging(3);
          LockSupport.unpark(parked.thread());
        });
    assertThat(log).containsExactly("woken", 0, 1, 2);
  }

  @Test
  void q2_oldRunNextMovesToTheTailOfTheRing() throws Exception {
    OneP.run(
        () -> {
          Goroutine first = goParked("first");
          Goroutine second = goParked("second");
          startLogging(3); // 2 runs next
          LockSupport.unpark(first.thread());
          LockSupport.unpark(second.thread());
        });
    assertThat(log).containsExactly("second", 0, 1, 2, "first");
  }

  @Test
  void q5_goroutinesStartedByForeignThreadQueueGloballyInOrder() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      try (Busy _ = Busy.start(scheduler, 1)) {
        startLogging(scheduler, 5);
        assertThat(scheduler.stats().globalQueue()).isEqualTo(5);
        assertThat(scheduler.stats().localQueues()).containsExactly(0);
      }
    }
    assertThat(log).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void q5_goroutineUnparkedByForeignThreadGoesToTheTailOfTheGlobalQueue() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine parked = scheduler.go(this::parkAndLog);
      Await.until(parked::state, Goroutine.State.WAITING);
      try (Busy _ = Busy.start(scheduler, 1)) {
        startLogging(scheduler, 2);
        LockSupport.unpark(parked.thread());
        assertThat(scheduler.stats().globalQueue()).isEqualTo(3);
      }
    }
    assertThat(log).containsExactly(0, 1, "unparked");
  }

  @Test
  void g6_yieldingGoroutineQueuesAtTheTailOfTheGlobalQueue() throws Exception {
    try (Scheduler scheduler = OneP.scheduler();
        Busy busy = new Busy()) {
      CountDownLatch runs = new CountDownLatch(1);
      scheduler.go(
          () -> {
            runs.countDown();
            busy.compute();
            Go.gosched();
            log.add("yielded");
          });
      runs.await();
      startLogging(scheduler, 3);
      busy.stop();
    }
    assertThat(log).containsExactly(0, 1, 2, "yielded");
  }

  @Test
  void g6_localGoroutinesRunBeforeTheYieldingGoroutine() throws Exception {
    OneP.run(
        () -> {
          startLogging(3);
          Go.gosched();
          log.add("yielded");
        });
    assertThat(log).containsExactly(2, 0, 1, "yielded");
  }

  @Test
  void g6_yieldingGoroutinesTakeTurns() throws Exception {
    // Fewer than 61 ticks: at the 61st tick the head of the global queue runs first (F1).
    OneP.run(
        () -> {
          Go.go(() -> yieldAndLog("a", 20));
          Go.go(() -> yieldAndLog("b", 20));
        });
    List<Object> turns = new ArrayList<>();
    IntStream.range(0, 20).forEach(_ -> turns.addAll(List.of("b", "a")));
    assertThat(log).containsExactlyElementsOf(turns);
  }

  @Test
  void g6_yieldOfTheOnlyGoroutineReturns() throws Exception {
    OneP.run(() -> yieldAndLog("alone", 1_000));
    assertThat(log).hasSize(1_000);
  }

  private void yieldAndLog(String name, int times) {
    for (int i = 0; i < times; i++) {
      log.add(name);
      Go.gosched();
    }
  }

  /**
   * Called by a goroutine on the one P: starts a goroutine that parks, and returns when it has
   * parked.
   */
  private Goroutine goParked(String name) {
    Goroutine parked =
        Go.go(
            () -> {
              LockSupport.park();
              log.add(name);
            });
    while (parked.state() != Goroutine.State.WAITING) {
      Go.gosched();
    }
    return parked;
  }

  private void parkAndLog() {
    LockSupport.park();
    log.add("unparked");
  }

  private void startLogging(int n) {
    startLogging(Scheduler.current(), n);
  }

  private void startLogging(Scheduler scheduler, int n) {
    for (int i = 0; i < n; i++) {
      int number = i;
      scheduler.go(() -> log.add(number));
    }
  }
}
