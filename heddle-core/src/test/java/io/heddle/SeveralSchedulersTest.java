package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Several schedulers in one JVM do not disturb each other. */
@HangGuard
class SeveralSchedulersTest {
  @Test
  void busySchedulerDoesNotDelayAnother() throws Exception {
    try (Scheduler first = Busy.withLongSlice().procs(1).build();
        Scheduler second = Busy.withLongSlice().procs(1).build();
        Busy _ = Busy.start(first, 1)) {
      AtomicReference<Scheduler> seen = new AtomicReference<>();
      second.run(() -> seen.set(Scheduler.current()));
      assertThat(seen.get()).isSameAs(second);
      assertThat(first.stats().started()).isEqualTo(1);
      assertThat(second.stats().started()).isEqualTo(1);
    }
  }

  @Test
  void closingOneSchedulerLeavesTheOtherRunning() throws Exception {
    try (Scheduler first = Busy.withLongSlice().procs(1).build()) {
      CountDownLatch gate = new CountDownLatch(1);
      Goroutine waiting = first.go(gate::await);
      Busy.withLongSlice().procs(1).build().close();
      assertThat(waiting.state()).isNotEqualTo(Goroutine.State.DEAD);
      gate.countDown();
      waiting.join();
    }
  }

  @Test
  void goroutineUnparksGoroutineOfAnotherScheduler() throws Exception {
    AtomicInteger unparked = new AtomicInteger();
    try (Scheduler first = Busy.withLongSlice().procs(1).build();
        Scheduler second = Busy.withLongSlice().procs(1).build()) {
      for (int round = 0; round < 2_000; round++) {
        AtomicBoolean free = new AtomicBoolean();
        Goroutine parked =
            first.go(
                () -> {
                  while (!free.get()) {
                    LockSupport.park();
                  }
                  unparked.incrementAndGet();
                });
        second.go(
            () -> {
              free.set(true);
              LockSupport.unpark(parked.thread());
            });
        parked.join();
      }
    }
    assertThat(unparked).hasValue(2_000);
  }

  @Test
  void goroutineStartsGoroutineOnAnotherScheduler() throws Exception {
    AtomicReference<Scheduler> seen = new AtomicReference<>();
    AtomicReference<Goroutine> child = new AtomicReference<>();
    try (Scheduler first = Busy.withLongSlice().procs(1).build();
        Scheduler second = Busy.withLongSlice().procs(1).build()) {
      first.run(() -> child.set(second.go(() -> seen.set(Scheduler.current()))));
      child.get().join();
      assertThat(seen.get()).isSameAs(second);
      assertThat(((LiveGoroutine) child.get()).creator())
          .as("no creator in its own scheduler")
          .isZero();
    }
  }

  @Test
  void goroutineClosesAnotherScheduler() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler first = Busy.withLongSlice().procs(1).build()) {
      first.run(
          () -> {
            try (Scheduler second = Busy.withLongSlice().procs(1).build()) {
              for (int i = 0; i < 100; i++) {
                second.go(runs::incrementAndGet);
              }
            }
          });
    }
    assertThat(runs).hasValue(100);
  }

  @Test
  void goroutinesOfManySchedulersFormAPipeline() throws Exception {
    List<Scheduler> schedulers = new ArrayList<>();
    BlockingQueue<Integer> first = new ArrayBlockingQueue<>(4);
    BlockingQueue<Integer> from = first;
    for (int i = 0; i < 5; i++) {
      Scheduler scheduler = Busy.withLongSlice().procs(1 + i % 2).build();
      schedulers.add(scheduler);
      BlockingQueue<Integer> in = from;
      BlockingQueue<Integer> out = new ArrayBlockingQueue<>(4);
      scheduler.go(() -> passOn(in, out));
      from = out;
    }
    BlockingQueue<Integer> last = from;
    Thread.ofPlatform().start(() -> putAll(first));
    for (int i = 0; i < 1_000; i++) {
      assertThat(last.take()).isEqualTo(i + 5);
    }
    schedulers.forEach(Scheduler::close);
  }

  private static void passOn(BlockingQueue<Integer> in, BlockingQueue<Integer> out)
      throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      out.put(in.take() + 1);
    }
  }

  private static void putAll(BlockingQueue<Integer> first) {
    try {
      for (int i = 0; i < 1_000; i++) {
        first.put(i);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
