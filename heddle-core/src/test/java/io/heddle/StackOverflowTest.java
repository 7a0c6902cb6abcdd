package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.wait.Parking;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever calls into the scheduler at the very end of its stack breaks nothing there, and loses nobody. */
@HangGuard
class StackOverflowTest {
  private static final int ROUNDS = 8;

  /** As many as unpark somebody on the way out of an overflow: the last tens of kilobytes of the stack. */
  private static final int SLEEPERS = 400;

  private static final int SMALL_STACK = 256 * 1024;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goroutinesUnparkedAtTheEndOfAStackRun(int procs) throws Exception {
    wakeAtTheEndOfAStack(procs, LockSupport::park, LockSupport::unpark);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goroutinesThatAChannelWakesAtTheEndOfAStackRun(int procs) throws Exception {
    wakeAtTheEndOfAStack(procs, Parking::park, Parking::unpark);
  }

  private void wakeAtTheEndOfAStack(int procs, Consumer<Object> park, Consumer<Thread> unpark)
      throws Exception {
    Scheduler scheduler = Scheduler.builder().name("deep").procs(procs).build();
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sleepers sleepers = new Sleepers(scheduler, park, unpark);
      scheduler.go(sleepers::wakeAtTheEndOfTheStack).join();
      sleepers.endAllButLost();
      failed += sleepers.failed;
      scheduler.go(() -> {}).join(); // the scheduler is alive
    }
    Await.idle(scheduler);
    assertThat(scheduler.goroutines()).as("lost ones").isLessThanOrEqualTo(failed);
    if (scheduler.goroutines() == 0) { // else it would wait for those
      scheduler.close();
    }
  }

  @Test
  void withRoomNothingHappens() {
    for (int i = 0; i < 20_000; i++) { // interpreted, then compiled
      StackHeadroom.ensure();
    }
  }

  @Test
  void withoutRoomTheOverflowComesNowAndNotLater() throws Exception {
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

  /** Parked goroutines, and one that unparks them on its way out of an overflow. */
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

    void wakeAtTheEndOfTheStack() {
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
          failed++; // the JDK may have lost it before it came to us
        }
      }
    }

    /** Lets all end, and waits for as many as have not been lost with an unpark that failed. */
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

  /** Goes down until there is no room, and uses the room that it was promised at each step. */
  private static final class Descent {
    /** Far less than the room, also in the interpreter. */
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
