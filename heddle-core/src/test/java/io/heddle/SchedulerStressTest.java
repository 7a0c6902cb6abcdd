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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once, on few Ps and many: goroutines that start goroutines, yield, park and are unparked by one another
 * and by platform threads, while the number of Ps changes and their stacks are looked at. Each must run to its end
 * exactly once.
 *
 * <p>{@code -Dheddle.stress.goroutines} and {@code -Dheddle.stress.rounds} make it longer: see
 * docs/internals/HACKING.md.
 */
class SchedulerStressTest {
  private static final int GOROUTINES = Integer.getInteger("heddle.stress.goroutines", 20_000);
  private static final int ROUNDS = Integer.getInteger("heddle.stress.rounds", 2);
  private static final int FAN_OUT = 10;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void everyGoroutineRunsToItsEndExactlyOnce(int procs) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      new Storm(procs).rage();
    }
  }

  /** One scheduler, and all that is thrown at it. */
  private static final class Storm {
    private final AtomicIntegerArray runs = new AtomicIntegerArray(GOROUTINES);
    private final AtomicLong numbers = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(GOROUTINES);
    private final Parking parking = new Parking();
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

    void rage() throws Exception {
      List<Thread> outside =
          List.of(
              Thread.ofPlatform().start(this::unparkFromOutside),
              Thread.ofPlatform().start(this::changeProcs),
              Thread.ofPlatform().start(this::lookAtStacks));
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
          Thread.startVirtualThread(() -> live(number)); // a child by plain JDK calls
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
        case 1 -> parking.parkUntilUnparked();
        case 2 -> parking.unparkSomebody();
        case 3 -> {
          Go.gosched();
          parking.unparkSomebody();
          Go.gosched();
        }
        default -> LockSupport.parkNanos(1_000);
      }
      ended.countDown();
    }

    private void unparkFromOutside() {
      while (!over.get()) {
        parking.unparkSomebody();
      }
    }

    private void changeProcs() {
      while (!over.get()) {
        scheduler.procs(1 + ThreadLocalRandom.current().nextInt(2 * procs));
        LockSupport.parkNanos(1_000_000);
      }
      scheduler.procs(procs);
    }

    /** Every look at the stack of a runnable goroutine submits it once more. */
    private void lookAtStacks() {
      while (!over.get()) {
        scheduler.dump();
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  /** Where goroutines park until one of the others, or a thread outside, picks them. */
  private static final class Parking {
    private final java.util.concurrent.ConcurrentLinkedQueue<Spot> spots =
        new java.util.concurrent.ConcurrentLinkedQueue<>();

    void parkUntilUnparked() {
      Spot spot = new Spot(Thread.currentThread(), new AtomicBoolean());
      spots.add(spot);
      while (!spot.free.get()) {
        LockSupport.park(this);
      }
    }

    void unparkSomebody() {
      Spot spot = spots.poll();
      if (spot != null) {
        spot.free.set(true);
        LockSupport.unpark(spot.thread);
      }
    }

    private record Spot(Thread thread, AtomicBoolean free) {}
  }
}
