package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** LockSupport: Parking.java, ParkALot.java and similar tests. */
class ParkingTest extends VirtualTest {
  private static final List<Runnable> PARKS =
      List.of(
          LockSupport::park,
          () -> LockSupport.park(LockSupport.class),
          () -> LockSupport.parkNanos(Long.MAX_VALUE),
          () -> LockSupport.parkNanos(LockSupport.class, Long.MAX_VALUE),
          () -> LockSupport.parkUntil(Long.MAX_VALUE));

  @Test
  void aPlatformThreadUnparks() throws Exception {
    for (Runnable park : PARKS) {
      Started<Void> started = start(park::run);
      untilItWaits(started.thread());
      LockSupport.unpark(started.thread());
      started.result();
    }
  }

  @Test
  void aVirtualThreadUnparks() throws Exception {
    for (Runnable park : PARKS) {
      Started<Void> started = start(park::run);
      untilItWaits(started.thread());
      virtually(() -> LockSupport.unpark(started.thread()));
      started.result();
    }
  }

  @Test
  void aPermitIsKeptForTheNextParkOnly() throws Exception {
    for (Runnable park : PARKS) {
      Started<Void> started =
          start(
              () -> {
                LockSupport.unpark(Thread.currentThread());
                LockSupport.unpark(Thread.currentThread());
                park.run(); // returns at once
                park.run(); // parks
              });
      untilItWaits(started.thread());
      LockSupport.unpark(started.thread());
      started.result();
    }
  }

  @Test
  void aPermitBeforeTheStartIsKept() throws Exception {
    AtomicBoolean parked = new AtomicBoolean();
    Thread thread =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  LockSupport.park();
                  parked.set(true);
                });
    LockSupport.unpark(thread);
    thread.start();
    thread.join();
    assertThat(parked).isTrue();
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    for (Runnable park : PARKS) {
      Started<Boolean> started =
          call(
              () -> {
                park.run();
                return Thread.interrupted();
              });
      untilItWaits(started.thread());
      started.thread().interrupt();
      assertThat(started.result()).isTrue();
    }
  }

  @Test
  void interruptedThreadDoesNotPark() throws Exception {
    for (Runnable park : PARKS) {
      virtually(
          () -> {
            Thread.currentThread().interrupt();
            park.run();
            assertThat(Thread.interrupted()).isTrue();
          });
    }
  }

  @Test
  void withAMonitor() throws Exception {
    Object monitor = new Object();
    for (Runnable park : PARKS) {
      Started<Void> started =
          start(
              () -> {
                synchronized (monitor) {
                  park.run();
                  assertThat(Thread.holdsLock(monitor)).isTrue();
                }
              });
      untilItWaits(started.thread());
      LockSupport.unpark(started.thread());
      started.result();
    }
  }

  @Test
  void whilePinned() throws Exception {
    for (Runnable park : PARKS) {
      for (Consumer<Thread> waker :
          List.<Consumer<Thread>>of(LockSupport::unpark, Thread::interrupt)) {
        Started<Void> started = start(() -> Pinned.run(park::run));
        untilItWaits(started.thread());
        waker.accept(started.thread());
        started.result();
      }
    }
  }

  @Test
  void aPermitIsKeptWhilePinned() throws Exception {
    virtually(
        () ->
            Pinned.run(
                () -> {
                  LockSupport.unpark(Thread.currentThread());
                  LockSupport.park();
                }));
    virtually(
        () -> {
          Pinned.run(() -> LockSupport.unpark(Thread.currentThread()));
          LockSupport.park();
        });
  }

  @Test
  void forSomeTime() throws Exception {
    Duration time = Duration.ofMillis(20);
    virtually(() -> assertTakes(time, () -> LockSupport.parkNanos(time.toNanos())));
    virtually(
        () -> assertTakes(time, () -> Pinned.run(() -> LockSupport.parkNanos(time.toNanos()))));
    virtually(
        () -> {
          Object monitor = new Object();
          synchronized (monitor) {
            assertTakes(time, () -> LockSupport.parkNanos(time.toNanos()));
          }
        });
  }

  @Test
  void forNoTime() throws Exception {
    virtually(
        () -> {
          LockSupport.parkNanos(0);
          LockSupport.parkNanos(-1);
          LockSupport.parkUntil(0);
          LockSupport.parkUntil(-1);
          Pinned.run(() -> LockSupport.parkNanos(-1));
        });
  }

  @Test
  void theBlockerIsSeenWhileItParks() throws Exception {
    Object blocker = new Object();
    Started<Void> started = start(() -> LockSupport.park(blocker));
    await(started.thread(), Thread.State.WAITING);
    assertThat(LockSupport.getBlocker(started.thread())).isSameAs(blocker);
    LockSupport.unpark(started.thread());
    started.result();
    assertThat(LockSupport.getBlocker(started.thread())).isNull();
  }

  private static void assertTakes(Duration time, Task park) throws Exception {
    long start = System.nanoTime();
    park.run();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(time.toNanos() - 1_000_000);
  }

  private static void untilItWaits(Thread thread) {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
