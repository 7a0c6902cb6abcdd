package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.wait.Parking;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stack overflow inside the scheduler corrupts nothing and loses no goroutine. */
@HangGuard
@Tag("jdks")
class StackOverflowTest {
  private static final int ROUNDS = 8;

  /** Enough to unpark one at each frame of the last tens of kilobytes of the stack. */
  private static final int SLEEPERS = 400;

  private static final int SMALL_STACK = 256 * 1024;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goroutineUnparkedDuringStackOverflowRuns(int procs) throws Exception {
    unparkDuringStackOverflow(procs, LockSupport::park, LockSupport::unpark);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goroutineWokenByHeddleDuringStackOverflowRuns(int procs) throws Exception {
    unparkDuringStackOverflow(procs, Parking::park, Parking::unpark);
  }

  private void unparkDuringStackOverflow(int procs, Consumer<Object> park, Consumer<Thread> unpark)
      throws Exception {
    Scheduler scheduler = Scheduler.builder().name("deep").procs(procs).build();
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sleepers sleepers = new Sleepers(scheduler, park, unpark);
      scheduler.go(sleepers::unparkWhileReturning).join();
      sleepers.endAllButLost();
      failed += sleepers.failed;
      scheduler.go(() -> {}).join(); // the scheduler still runs goroutines
    }
    Await.idle(scheduler);
    assertThat(scheduler.goroutines()).as("lost goroutines").isLessThanOrEqualTo(failed);
    if (scheduler.goroutines() == 0) { // otherwise close would wait for the lost goroutines
      scheduler.close();
    }
  }

  @Test
  void headroomCheckPassesWithRoom() {
    for (int i = 0; i < 20_000; i++) { // interpreted, then compiled
      StackHeadroom.ensure();
    }
  }

  @Test
  void headroomCheckOverflowsEarly() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Descent descent = new Descent();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread thread = new Thread(null, descent::begin, "small", SMALL_STACK);
      thread.setUncaughtExceptionHandler((_, e) -> failure.set(e));
      thread.start();
      thread.join();
      assertThat(failure).hasValue(null);
      assertThat(descent.refused).as("times that there was no room").isPositive();
      assertThat(descent.late).as("overflows after room was promised").isZero();
      assertThatCode(StackHeadroom::ensure).doesNotThrowAnyException();
    }
  }

  /** Parked goroutines, and a goroutine that unparks them while it returns from an overflow. */
  private static final class Sleepers {
    private final Thread[] threads = new Thread[SLEEPERS];
    private final Consumer<Object> park;
    private final Consumer<Thread> unpark;
    private volatile boolean over;
    private int next;
    private int failed;

    Sleepers(Scheduler scheduler, Consumer<Object> park, Consumer<Thread> unpark) {
      this.park = park;
      this.unpark = unpark;
      for (int i = 0; i < SLEEPERS; i++) {
        threads[i] = scheduler.go(this::sleep).thread();
      }
      for (Thread thread : threads) {
        Await.until(thread::getState, Thread.State.WAITING);
      }
    }

    private void sleep() {
      while (!over) {
        park.accept(this);
      }
    }

    void unparkWhileReturning() {
      try {
        descend();
      } catch (StackOverflowError e) {
        // As intended.
      }
    }

    private void descend() {
      try {
        descend();
      } catch (StackOverflowError e) {
        wakeNext();
        throw e;
      }
    }

    private void wakeNext() {
      if (next < SLEEPERS) {
        int i = next++;
        try {
          unpark.accept(threads[i]);
        } catch (StackOverflowError e) {
          failed++; // the JDK may have lost the unpark before it reached the scheduler
        }
      }
    }

    /**
     * Lets all goroutines end, and waits for all except as many as a failed unpark may have lost.
     */
    void endAllButLost() {
      over = true;
      for (Thread thread : threads) {
        LockSupport.unpark(thread);
      }
      Await.until(() -> living() <= failed);
    }

    private int living() {
      return (int) Arrays.stream(threads).filter(Thread::isAlive).count();
    }
  }

  /** Recurses until there is no headroom, and uses the promised headroom at each step. */
  private static final class Descent {
    /** Needs far less than the headroom, also in the interpreter. */
    private static final int STEPS = 20;

    int refused;
    int late;

    void begin() {
      try {
        descend();
      } catch (StackOverflowError e) {
        // As intended.
      }
    }

    private void descend() {
      try {
        StackHeadroom.ensure();
      } catch (StackOverflowError e) {
        refused++;
        return;
      }
      try {
        use(STEPS);
      } catch (StackOverflowError e) {
        late++;
      }
      descend();
    }

    private int use(int steps) {
      return steps == 0 ? 0 : 1 + use(steps - 1);
    }
  }
}
