package io.heddle.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.BareSched;
import io.heddle.internal.sched.GoroutineState;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A wakeup reaches the parking goroutine in every interleaving, also with concurrent wakeups,
 * interrupts and stack reads.
 */
@HangGuard
@Tag("jdks")
class ParkingTest {
  private static final int ROUNDS = 5_000;

  /**
   * {@code turn}: the round that the waiter may start. {@code done}: the last round that it
   * completed.
   */
  private volatile int turn;

  private volatile int done;
  private volatile Thread waiter;

  @Test
  void parkedGoroutineHasItsBlocker() throws Exception {
    try (BareSched bare = new BareSched().open()) {
      Object blocker = new Object();
      BareSched.BareG g = bare.go(() -> awaitTurn(1, blocker));
      Await.until(() -> g.thread().getState() == Thread.State.WAITING);
      assertThat(LockSupport.getBlocker(g.thread())).isSameAs(blocker);
      assertThat(g.goroutineState()).isEqualTo(GoroutineState.WAITING);
      turn = 1;
      Parking.unpark(g.thread());
      g.join();
      assertThat(LockSupport.getBlocker(g.thread())).isNull();
    }
  }

  @Test
  void unparkBeforeParkIsNotLost() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      bare.go(
              () -> {
                Parking.unpark(Thread.currentThread());
                Parking.park(this); // returns at once
                LockSupport.unpark(Thread.currentThread());
                Parking.park(this);
                Parking.unpark(Thread.currentThread());
                LockSupport.park(this);
              })
          .join();
    }
  }

  @Test
  void parkConsumesThePermit() throws Exception {
    try (BareSched bare = new BareSched().open()) {
      BareSched.BareG g =
          bare.go(
              () -> {
                Parking.unpark(Thread.currentThread());
                Parking.park(this);
                Parking.park(this); // waits
              });
      Await.until(() -> g.thread().getState() == Thread.State.WAITING);
      LockSupport.unpark(g.thread());
      g.join();
    }
  }

  @Test
  void interruptedGoroutineDoesNotPark() throws Exception {
    try (BareSched bare = new BareSched().open()) {
      AtomicBoolean still = new AtomicBoolean();
      bare.go(
              () -> {
                Thread.currentThread().interrupt();
                Parking.park(this);
                Parking.park(this);
                still.set(Thread.interrupted());
              })
          .join();
      assertThat(still).isTrue();
      BareSched.BareG parked = bare.go(() -> Parking.park(this));
      Await.until(() -> parked.thread().getState() == Thread.State.WAITING);
      parked.thread().interrupt();
      parked.join();
    }
  }

  @Test
  void pinnedGoroutineParksWithItsCarrier() throws Exception {
    try (BareSched bare = new BareSched().open()) {
      BareSched.BareG g =
          bare.go(
              () -> {
                VirtualThreads.pin();
                try {
                  awaitTurn(1, this);
                } finally {
                  VirtualThreads.unpin();
                }
              });
      Await.until(() -> g.thread().getState() == Thread.State.WAITING);
      turn = 1;
      Parking.unpark(g.thread());
      g.join();
    }
  }

  @Test
  void foreignThreadsParkAsInTheJdk() throws Exception {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      turn = 0;
      Thread thread = builder.start(() -> awaitTurn(1, this));
      Await.until(() -> thread.getState() == Thread.State.WAITING);
      turn = 1;
      Parking.unpark(thread);
      thread.join();
    }
    Parking.unpark(null);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "2, true", "2, false", "8, true", "8, false"})
  void noUnparkIsLostDuringStackReads(int procs, boolean fromInside) throws Exception {
    storm(procs, fromInside, Thread::getStackTrace); // which wakes no thread
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, false", "8, true"})
  void noUnparkIsLostAmongOtherWakeups(int procs, boolean fromInside) throws Exception {
    storm(procs, fromInside, LockSupport::unpark, Thread::interrupt, Thread::getStackTrace);
  }

  @SafeVarargs
  private void storm(int procs, boolean fromInside, Consumer<Thread>... disturbers)
      throws Exception {
    try (BareSched bare = new BareSched().procs(procs).open()) {
      BareSched.BareG g =
          bare.go(
              () -> {
                waiter = Thread.currentThread();
                for (int i = 1; i <= ROUNDS; i++) {
                  awaitTurn(i, this);
                  done = i;
                }
              });
      List<Thread> disturbing = Stream.of(disturbers).map(this::disturb).toList();
      Runnable waker =
          () -> {
            for (int i = 1; i <= ROUNDS; i++) {
              while (done < i - 1) {
                Thread.yield();
              }
              turn = i;
              Parking.unpark(g.thread());
            }
          };
      if (fromInside) {
        bare.go(waker).join();
      } else {
        waker.run();
      }
      g.join();
      for (Thread each : disturbing) {
        each.join();
      }
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /**
   * A deliberately broken variant: a wakeup that uses only the fast path, and leaves no permit, is
   * lost sooner or later.
   */
  @Test
  void unparkWithoutPermitIsLost() throws Exception {
    try (BareSched bare = new BareSched().open()) {
      BareSched.BareG g =
          bare.go(
              () -> {
                for (int i = 1; turn < Integer.MAX_VALUE; i++) {
                  awaitTurn(i, this);
                  done = i;
                }
              });
      boolean lost = false;
      for (int i = 1; !lost; i++) {
        turn = i;
        boolean found = Parking.tryUnpark(g.thread());
        while (done < i && !lost) {
          lost = !found && g.thread().getState() == Thread.State.WAITING && done < i;
        }
      }
      turn = Integer.MAX_VALUE;
      LockSupport.unpark(g.thread());
      g.join();
    }
  }

  private void awaitTurn(int i, Object blocker) {
    while (turn < i) {
      Parking.park(blocker);
      Thread.interrupted();
    }
  }

  /** Applies {@code what} to the waiter repeatedly, until the waiter has completed its rounds. */
  private Thread disturb(Consumer<Thread> what) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (done < ROUNDS) {
                Thread thread = waiter;
                if (thread != null) {
                  what.accept(thread);
                }
                Thread.yield();
              }
            });
  }
}
