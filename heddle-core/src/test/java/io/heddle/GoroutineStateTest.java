package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The states of a goroutine and its wait reasons, as a user sees them: rule G1. */
@HangGuard
class GoroutineStateTest {
  private final Scheduler scheduler = Busy.withLongSlice().procs(1).build();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void g1_newBeforeStart() {
    Goroutine g = LiveGoroutine.ofRunnable(scheduler.sched(), () -> {}, () -> {});
    assertThat(g.state()).isEqualTo(Goroutine.State.NEW);
    assertThat(g.waitReason()).isEmpty();
  }

  @Test
  void g1_runnableWhileWaitingForP() {
    try (Busy _ = Busy.start(scheduler, 1)) {
      Goroutine g = scheduler.go(() -> {});
      assertThat(g.state()).isEqualTo(Goroutine.State.RUNNABLE);
      assertThat(g.waitReason()).isEmpty();
    }
  }

  @Test
  void g1_runnableAfterYieldWhileAnotherGoroutineRuns() throws Exception {
    try (Busy busy = new Busy()) {
      Goroutine yielding =
          scheduler.go(
              () -> {
                Go.go(() -> busy.compute());
                Go.gosched();
              });
      Await.until(() -> scheduler.stats().globalQueue() == 1);
      assertThat(yielding.state()).isEqualTo(Goroutine.State.RUNNABLE);
    }
  }

  @Test
  void g1_runningSeenByForeignThread() {
    try (Busy busy = Busy.start(scheduler, 1)) {
      assertThat(busy.goroutines().getFirst().state()).isEqualTo(Goroutine.State.RUNNING);
      assertThat(busy.goroutines().getFirst().waitReason()).isEmpty();
    }
  }

  @Test
  void g1_runningSeenByItself() throws Exception {
    AtomicReference<Goroutine.State> seen = new AtomicReference<>();
    scheduler.run(() -> seen.set(Go.current().state()));
    assertThat(seen).hasValue(Goroutine.State.RUNNING);
  }

  @Test
  void g1_waitingAtAMonitor() {
    Object lock = new Object();
    synchronized (lock) {
      assertWaits(
          "monitor enter",
          () -> {
            synchronized (lock) {
              lock.notifyAll();
            }
          });
    }
  }

  @Test
  void g1_waitingInObjectWait() {
    Object lock = new Object();
    assertWaits(
        "Object.wait",
        () -> {
          synchronized (lock) {
            lock.wait();
          }
        });
  }

  @Test
  void g1_waitingInATimedObjectWait() {
    Object lock = new Object();
    assertWaits(
        "Object.wait",
        () -> {
          synchronized (lock) {
            lock.wait(1_000_000);
          }
        });
  }

  @Test
  void g1_waitingInASleep() {
    assertWaits("sleep", () -> Thread.sleep(1_000_000));
  }

  @Test
  void g1_waitingForALatch() {
    assertWaits("park (CountDownLatch)", new CountDownLatch(1)::await);
  }

  @Test
  void g1_waitingForALock() {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    assertWaits("park (ReentrantLock)", lock::lockInterruptibly);
  }

  @Test
  void g1_waitingInPlainPark() {
    assertWaits("park", LockSupport::park);
  }

  @Test
  void g1_waitingForASocket() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here);
        Socket client = new Socket(here, server.getLocalPort())) {
      assertWaits("IO wait", () -> client.getInputStream().read());
    }
  }

  @Test
  void g1_waitingWhilePinned() {
    assertWaits("park (CountDownLatch)", () -> ParksWhenInitialized.touch());
    Latch.ONE.countDown();
  }

  @Test
  void g1_deadAfterItsEnd() throws Exception {
    Goroutine g = scheduler.go(() -> {});
    g.join();
    Await.until(g::state, Goroutine.State.DEAD);
    assertThat(g.waitReason()).isEmpty();
  }

  @Test
  void g1_deadWhenJoinReturns() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      Goroutine g = scheduler.go(() -> {});
      g.join();
      assertThat(g.state()).isEqualTo(Goroutine.State.DEAD);
    }
  }

  private void assertWaits(String reason, Task task) {
    Goroutine g =
        scheduler.go(
            () -> {
              try {
                task.run();
              } catch (InterruptedException | IOException e) {
                // the test is over
              }
            });
    Await.until(g::waitReason, reason);
    assertThat(g.state()).isEqualTo(Goroutine.State.WAITING);
    LockSupport.unpark(g.thread());
  }

  /** The frame of a class initializer keeps a goroutine on its thread. */
  private static final class ParksWhenInitialized {
    static {
      try {
        Latch.ONE.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    static void touch() {}
  }

  private static final class Latch {
    static final CountDownLatch ONE = new CountDownLatch(1);
  }
}
