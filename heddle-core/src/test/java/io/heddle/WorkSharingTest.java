package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Idle Ms find work: rules F2, F3 and F5. */
@HangGuard
class WorkSharingTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 16})
  void f3_goroutinesStartedByComputingGoroutineAreStolen(int procs) throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(procs).build()) {
      AtomicInteger left = new AtomicInteger(1_000);
      scheduler.run(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              Go.go(left::decrementAndGet);
            }
            computeUntilZero(left); // never gives its P up: only thieves can run them
          });
      assertThat(scheduler.stats().steals()).isPositive();
      assertThat(scheduler.stats().stolen()).isGreaterThanOrEqualTo(scheduler.stats().steals());
    }
  }

  @Test
  void f3_runNextIsStolenFromComputingP() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build()) {
      for (int round = 0; round < 200; round++) {
        AtomicInteger left = new AtomicInteger(1);
        scheduler.run(
            () -> {
              Go.go(left::decrementAndGet);
              computeUntilZero(left);
            });
      }
      assertThat(scheduler.stats().steals()).isGreaterThanOrEqualTo(200);
    }
  }

  @Test
  void f3_singleGoroutineInTheRingIsStolenFromComputingP() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build()) {
      for (int round = 0; round < 200; round++) {
        AtomicInteger left = new AtomicInteger(2);
        scheduler.run(
            () -> {
              Go.go(left::decrementAndGet); // moved to the ring
              Go.go(left::decrementAndGet); // by this goroutine, which runs next
              computeUntilZero(left);
            });
      }
      assertThat(scheduler.stats().stolen()).isGreaterThanOrEqualTo(400);
    }
  }

  @Test
  void f3_runNextIsStolenAfterHandOvers() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build()) {
      for (int round = 0; round < 50; round++) {
        AtomicInteger left = new AtomicInteger(1);
        scheduler.run(
            () -> {
              handOver(1_000);
              Go.go(left::decrementAndGet);
              computeUntilZero(left);
            });
      }
    }
  }

  @Test
  void f3_goroutineInTheRingIsStolenDuringHandOvers() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build()) {
      scheduler.run(
          () -> {
            for (int round = 0; round < 50; round++) {
              AtomicInteger left = new AtomicInteger(1);
              Go.go(left::decrementAndGet);
              while (left.get() != 0) {
                handOver(10);
              }
            }
          });
    }
  }

  /** The caller and another goroutine take turns. */
  private static void handOver(int turns) throws InterruptedException {
    Chan<Integer> there = Chan.make();
    Chan<Integer> back = Chan.make();
    Go.go(
        () -> {
          for (int v : there) {
            back.send(v);
          }
        });
    for (int i = 0; i < turns; i++) {
      there.send(i);
      assertThat(back.receive()).isEqualTo(i);
    }
    there.close();
  }

  @Test
  void f2_idleMTakesFromTheGlobalQueue() {
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build();
        Busy _ = Busy.start(scheduler, 1)) {
      AtomicInteger left = new AtomicInteger(1_000);
      for (int i = 0; i < 1_000; i++) {
        scheduler.go(left::decrementAndGet);
      }
      Await.until(left::get, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void f5_oneGoroutineRunsPerP(int procs) {
    try (Scheduler scheduler = Busy.withLongSlice().procs(procs).build();
        Busy busy = Busy.start(scheduler, procs)) { // returns when all of them run
      assertThat(busy.goroutines()).allMatch(g -> g.state() == Goroutine.State.RUNNING);
      assertThat(scheduler.stats().idleProcs()).isZero();
    }
  }

  @Test
  void f5_onePNeverRunsTwoGoroutinesAtOnce() throws Exception {
    AtomicInteger running = new AtomicInteger();
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    try (Scheduler scheduler = Busy.withLongSlice().procs(1).build()) {
      for (int i = 0; i < 2_000; i++) {
        scheduler.go(
            () -> {
              for (int stretch = 0; stretch < 3; stretch++) {
                seen.add(running.incrementAndGet());
                running.decrementAndGet();
                Go.gosched();
              }
            });
      }
    }
    assertThat(seen).containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void f5_noMSpinsWithoutWork(int procs) throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(procs).build()) {
      for (int burst = 0; burst < 50; burst++) {
        CyclicBarrier barrier = new CyclicBarrier(20);
        CountDownLatch ended = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
          scheduler.go(
              () -> {
                barrier.await();
                ended.countDown();
              });
        }
        ended.await();
        Await.idle(scheduler);
        Invariants.check(scheduler.sched());
        assertThat(scheduler.stats().spinningThreads()).isZero();
      }
    }
  }

  private static void computeUntilZero(AtomicInteger left) {
    while (left.get() != 0) {
      VirtualThreads.osYield();
    }
  }
}
