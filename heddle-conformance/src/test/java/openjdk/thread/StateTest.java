package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Thread.getState, and the frames that getStackTrace shows in each state: ThreadAPI.java,
 * GetStackTrace*.java.
 */
class StateTest extends VirtualTest {
  private final Object monitor = new Object();
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile boolean spins;

  @AfterEach
  void endAll() {
    done.set(true);
  }

  @Test
  void beforeTheStartAndAfterTheEnd() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(() -> {});
    assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
    assertThat(thread.getStackTrace()).isEmpty();
    thread.start();
    thread.join();
    assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
    assertThat(thread.getStackTrace()).isEmpty();
  }

  @Test
  void computing() throws Exception {
    Started<Void> started = start(this::spin);
    while (!spins) {
      Thread.onSpinWait();
    }
    assertThat(started.thread().getState()).isEqualTo(Thread.State.RUNNABLE);
    assertShows(started.thread(), "StateTest.spin");
    done.set(true);
    started.result();
  }

  @Test
  void waitingForAMonitor() throws Exception {
    for (Runner runner : Runner.values()) {
      Started<Void> started;
      synchronized (monitor) {
        started = start(() -> runner.run(this::enter));
        assertShows(await(started.thread(), Thread.State.BLOCKED), "StateTest.enter");
      }
      started.result();
    }
  }

  @Test
  void waitingForANotification() throws Exception {
    for (Runner runner : Runner.values()) {
      Started<Void> started =
          start(
              () ->
                  runner.run(
                      () -> {
                        synchronized (monitor) {
                          monitor.wait();
                        }
                      }));
      assertShows(await(started.thread(), Thread.State.WAITING), "Object.wait");
      assertIsBlockedWhenNotified(started);
    }
  }

  @Test
  void waitingForANotificationForSomeTime() throws Exception {
    for (Runner runner : Runner.values()) {
      Started<Void> started =
          start(
              () ->
                  runner.run(
                      () -> {
                        synchronized (monitor) {
                          monitor.wait(Long.MAX_VALUE);
                        }
                      }));
      assertShows(await(started.thread(), Thread.State.TIMED_WAITING), "Object.wait");
      assertIsBlockedWhenNotified(started);
    }
  }

  @Test
  void parked() throws Exception {
    for (Runner runner : Runner.values()) {
      Started<Void> started = start(() -> runner.run(() -> untilDone(LockSupport::park)));
      assertShows(await(started.thread(), Thread.State.WAITING), "LockSupport.park");
      end(started);
    }
  }

  @Test
  void parkedForSomeTime() throws Exception {
    for (Runner runner : Runner.values()) {
      Started<Void> started =
          start(() -> runner.run(() -> untilDone(() -> LockSupport.parkNanos(Long.MAX_VALUE))));
      assertShows(await(started.thread(), Thread.State.TIMED_WAITING), "LockSupport.parkNanos");
      end(started);
    }
  }

  @Test
  void parkedWithAMonitor() throws Exception {
    Started<Void> started =
        start(
            () -> {
              synchronized (monitor) {
                untilDone(LockSupport::park);
              }
            });
    assertShows(await(started.thread(), Thread.State.WAITING), "LockSupport.park");
    end(started);
    Started<Void> timed =
        start(
            () -> {
              synchronized (monitor) {
                untilDone(() -> LockSupport.parkNanos(Long.MAX_VALUE));
              }
            });
    assertShows(await(timed.thread(), Thread.State.TIMED_WAITING), "LockSupport.parkNanos");
    end(timed);
  }

  @Test
  void runnableThreadShowsWhereItWillContinue() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    Started<Void> started =
        start(
            () -> {
              running.countDown();
              untilDone(Thread::yield);
            });
    running.await();
    int seen = 0;
    for (int i = 0; i < 1_000; i++) {
      StackTraceElement[] stack = started.thread().getStackTrace();
      if (stack.length > 0) {
        assertThat(mentions(stack, "FutureTask.run")).isTrue();
        seen++;
      }
    }
    assertThat(seen).isPositive();
    done.set(true);
    started.result();
  }

  @Test
  void inspectionNeitherWakesNorBlocksTheThread() throws Exception {
    Started<Void> started = start(() -> untilDone(LockSupport::park));
    Thread thread = await(started.thread(), Thread.State.WAITING);
    for (int i = 0; i < 1_000; i++) {
      assertShows(thread, "LockSupport.park");
      assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
    }
    end(started);
  }

  private enum Runner {
    FREE {
      @Override
      void run(Task task) throws Exception {
        task.run();
      }
    },
    PINNED {
      @Override
      void run(Task task) throws Exception {
        Pinned.run(task);
      }
    };

    abstract void run(Task task) throws Exception;
  }

  private void assertIsBlockedWhenNotified(Started<Void> started) throws Exception {
    synchronized (monitor) {
      monitor.notifyAll();
      await(started.thread(), Thread.State.BLOCKED);
    }
    started.result();
  }

  private static void assertShows(Thread thread, String what) {
    StackTraceElement[] stack = thread.getStackTrace();
    assertThat(stack).anyMatch(frame -> frame.toString().contains(what));
  }

  private void end(Started<Void> started) throws Exception {
    done.set(true);
    LockSupport.unpark(started.thread());
    started.result();
    done.set(false);
  }

  private void untilDone(Runnable wait) {
    while (!done.get()) {
      wait.run();
    }
  }

  private void spin() {
    spins = true;
    while (!done.get()) {
      Thread.onSpinWait();
    }
  }

  private void enter() {
    synchronized (monitor) {
      done.get();
    }
  }
}
