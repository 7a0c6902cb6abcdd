package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Combined stress on few Ps and many: goroutines start goroutines, yield, park and are unparked by
 * one another and by platform threads, while the number of Ps changes and other threads read their
 * stacks. Each must run to its end exactly once.
 *
 * <p>{@code -Dheddle.stress.goroutines} and {@code -Dheddle.stress.rounds} make it longer: see
 * docs/internals/HACKING.md.
 */
@Tag("jdks")
class SchedulerStressTest {
  private static final int GOROUTINES = Integer.getInteger("heddle.stress.goroutines", 20_000);
  private static final int ROUNDS = Integer.getInteger("heddle.stress.rounds", 2);
  private static final int FAN_OUT = 10;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void everyGoroutineRunsToItsEndExactlyOnce(int procs) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      new Storm(procs).run();
    }
  }

  /** One scheduler and its load. */
  private static final class Storm {
    private final AtomicIntegerArray runs = new AtomicIntegerArray(GOROUTINES);
    private final AtomicLong numbers = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(GOROUTINES);
    private final ParkingLot parkingLot = new ParkingLot();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Throwable> uncaught = new ArrayList<>();
    private final Scheduler scheduler;
    private final int procs;

    Storm(int procs) {
      this.procs = procs;
      this.scheduler =
          Scheduler.builder()
              .name("storm")
              .procs(procs)
              .uncaught(
                  (g, e) -> {
                    synchronized (uncaught) {
                      uncaught.add(e);
                    }
                  })
              .build();
    }

    void run() throws Exception {
      List<Thread> outside =
          List.of(
              Thread.ofPlatform().start(this::unparkFromOutside),
              Thread.ofPlatform().start(this::changeProcs),
              Thread.ofPlatform().start(this::dumpStacks));
      startSome(FAN_OUT);
      boolean allEnded = ended.await(120, TimeUnit.SECONDS);
      over.set(true);
      for (Thread thread : outside) {
        thread.join();
      }
      assertThat(allEnded).as(() -> "hang: " + ended.getCount() + " left\n" + scheduler).isTrue();
      scheduler.close();
      check();
    }

    private void check() {
      assertThat(uncaught).isEmpty();
      for (int i = 0; i < GOROUTINES; i++) {
        assertThat(runs.get(i)).as("runs of goroutine %d", i).isEqualTo(1);
      }
      Stats stats = scheduler.stats();
      assertThat(stats.started()).isEqualTo(GOROUTINES);
      assertThat(stats.finished()).isEqualTo(GOROUTINES);
      assertThat(stats.goroutines()).isZero();
      Invariants.check(scheduler.sched());
    }

    private void startSome(int n) {
      for (int i = 0; i < n; i++) {
        int number = (int) numbers.getAndIncrement();
        if (number >= GOROUTINES) {
          return;
        }
        if (number % 7 == 0 && Scheduler.current() != null) {
          Thread.startVirtualThread(() -> live(number)); // a child started by plain JDK calls
        } else {
          scheduler.go(() -> live(number));
        }
      }
    }

    private void live(int number) {
      runs.incrementAndGet(number);
      startSome(FAN_OUT);
      switch (number % 5) {
        case 0 -> Go.gosched();
        case 1 -> parkingLot.parkUntilUnparked();
        case 2 -> parkingLot.unparkNext();
        case 3 -> {
          Go.gosched();
          parkingLot.unparkNext();
          Go.gosched();
        }
        default -> LockSupport.parkNanos(1_000);
      }
      ended.countDown();
    }

    private void unparkFromOutside() {
      while (!over.get()) {
        parkingLot.unparkNext();
      }
    }

    private void changeProcs() {
      while (!over.get()) {
        scheduler.procs(1 + ThreadLocalRandom.current().nextInt(2 * procs));
        LockSupport.parkNanos(1_000_000);
      }
      scheduler.procs(procs);
    }

    /** Every look at the stack of a runnable goroutine submits the goroutine once more. */
    private void dumpStacks() {
      while (!over.get()) {
        scheduler.dump();
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  /** Goroutines park here until another goroutine or a foreign thread unparks them. */
  private static final class ParkingLot {
    private final java.util.concurrent.ConcurrentLinkedQueue<ParkedGoroutine> spots =
        new java.util.concurrent.ConcurrentLinkedQueue<>();

    void parkUntilUnparked() {
      ParkedGoroutine spot = new ParkedGoroutine(Thread.currentThread(), new AtomicBoolean());
      spots.add(spot);
      while (!spot.free.get()) {
        LockSupport.park(this);
      }
    }

    void unparkNext() {
      ParkedGoroutine spot = spots.poll();
      if (spot != null) {
        spot.free.set(true);
        LockSupport.unpark(spot.thread);
      }
    }

    private record ParkedGoroutine(Thread thread, AtomicBoolean free) {}
  }
}
