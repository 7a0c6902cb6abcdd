package openjdk.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Object.wait and notify: MonitorWaitNotify.java, CancelTimerWithContention.java,
 * NotifiedThenTimedOutWait.java.
 */
class WaitNotifyTest extends VirtualTest {
  private static final long LONG = 3_600_000;

  private final Object monitor = new Object();

  @Test
  void aPlatformThreadNotifies() throws Exception {
    Started<Void> started = waiting(this::waitOnce);
    synchronized (monitor) {
      monitor.notify();
    }
    started.result();
  }

  @Test
  void aVirtualThreadNotifiesAPlatformThread() throws Exception {
    Started<Void> started;
    synchronized (monitor) {
      started = start(this::wakeAll);
      monitor.wait();
    }
    started.result();
  }

  @Test
  void virtualThreadsNotifyEachOther() throws Exception {
    Started<Void> waiter = waiting(this::waitOnce);
    virtually(this::wakeAll);
    waiter.result();
  }

  @Test
  void notifyWakesOneAndNotifyAllEach() throws Exception {
    AtomicInteger woken = new AtomicInteger();
    List<Started<Void>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(
          waiting(
              () -> {
                waitOnce();
                woken.incrementAndGet();
              }));
    }
    synchronized (monitor) {
      monitor.notify();
    }
    until(() -> woken.get() == 1);
    assertThat(all.stream().filter(each -> each.thread().isAlive()).count())
        .isGreaterThanOrEqualTo(9);
    wakeAll();
    awaitAll(all);
  }

  @Test
  void monitorIsFreeDuringTheWaitAndHeldAfterwards() throws Exception {
    Started<Boolean> started =
        call(
            () -> {
              synchronized (monitor) {
                synchronized (monitor) {
                  monitor.wait();
                }
                return Thread.holdsLock(monitor);
              }
            });
    await(started.thread(), Thread.State.WAITING);
    synchronized (monitor) {
      monitor.notifyAll();
      await(started.thread(), Thread.State.BLOCKED);
    }
    assertThat(started.result()).isTrue();
  }

  @Test
  void aTimeLimitEndsIt() throws Exception {
    platformAndVirtual(
        () -> {
          synchronized (monitor) {
            long start = System.nanoTime();
            monitor.wait(20);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(19_000_000);
            monitor.wait(1, 1);
          }
        });
    virtually(() -> Pinned.run(() -> timedWait(5)));
  }

  @Test
  void notificationEndsATimedWait() throws Exception {
    Started<Void> started = start(() -> timedWait(LONG));
    await(started.thread(), Thread.State.TIMED_WAITING);
    wakeAll();
    started.result();
  }

  @Test
  void timeLimitEndsWhileAnotherThreadHoldsTheMonitor() throws Exception {
    for (int i = 0; i < 20; i++) {
      Started<Void> started = start(() -> timedWait(2));
      until(() -> started.thread().getState() != Thread.State.RUNNABLE);
      synchronized (monitor) {
        until(
            () ->
                started.thread().getState() == Thread.State.BLOCKED
                    || started.thread().getState() == Thread.State.TERMINATED);
        monitor.notifyAll();
      }
      started.result();
    }
  }

  @Test
  void aTimerThatIsCancelledUnderContention() throws Exception {
    manyTimes(
        20,
        () -> {
          for (int n = 0; n < 50; n++) {
            synchronized (monitor) {
              monitor.notifyAll();
              monitor.wait(1 + n % 3);
            }
          }
        });
  }

  @Test
  void interruptedThreadDoesNotWait() throws Exception {
    for (long millis : new long[] {0, LONG}) {
      virtually(
          () -> {
            Thread.currentThread().interrupt();
            synchronized (monitor) {
              assertThatExceptionOfType(InterruptedException.class)
                  .isThrownBy(() -> monitor.wait(millis));
            }
            assertThat(Thread.interrupted()).isFalse();
          });
    }
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    for (long millis : new long[] {0, LONG}) {
      Thread.State state = millis == 0 ? Thread.State.WAITING : Thread.State.TIMED_WAITING;
      for (Task task :
          List.<Task>of(() -> interrupted(millis), () -> Pinned.run(() -> interrupted(millis)))) {
        Started<Void> started = start(task);
        await(started.thread(), state).interrupt();
        started.result();
      }
    }
  }

  @Test
  void anInterruptWhileAnotherHoldsTheMonitor() throws Exception {
    Started<Void> started = waiting(() -> interrupted(0));
    synchronized (monitor) {
      started.thread().interrupt();
      await(started.thread(), Thread.State.BLOCKED);
    }
    started.result();
  }

  @Test
  void anUnparkDoesNotEndItAndStays() throws Exception {
    Started<Void> started =
        waiting(
            () -> {
              waitOnce();
              LockSupport.park();
            });
    LockSupport.unpark(started.thread());
    await(started.thread(), Thread.State.WAITING);
    wakeAll();
    started.result();
  }

  @Test
  void onlyTheHolderMayWaitOrNotify() throws Exception {
    virtually(
        () -> {
          assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(monitor::wait);
          assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(monitor::notify);
          assertThatExceptionOfType(IllegalMonitorStateException.class)
              .isThrownBy(monitor::notifyAll);
          synchronized (monitor) {
            assertThatIllegalArgumentException().isThrownBy(() -> monitor.wait(-1));
          }
        });
  }

  @Test
  void pinned() throws Exception {
    Started<Void> started = waiting(() -> Pinned.run(this::waitOnce));
    wakeAll();
    started.result();
  }

  @Test
  void aPingPong() throws Exception {
    int[] turn = new int[1];
    Started<Void> one = start(() -> pass(turn, 0));
    Started<Void> other = start(() -> pass(turn, 1));
    one.result();
    other.result();
    assertThat(turn[0]).isEqualTo(2_000);
  }

  private void pass(int[] turn, int mine) throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      synchronized (monitor) {
        while (turn[0] % 2 != mine) {
          monitor.wait();
        }
        turn[0]++;
        monitor.notifyAll();
      }
    }
  }

  private void interrupted(long millis) {
    synchronized (monitor) {
      assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> monitor.wait(millis));
      assertThat(Thread.holdsLock(monitor)).isTrue();
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  /** A thread that already waits. */
  private static Started<Void> waiting(Task task) {
    Started<Void> started = start(task);
    await(started.thread(), Thread.State.WAITING);
    return started;
  }

  private void wakeAll() {
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }

  private void waitOnce() throws InterruptedException {
    synchronized (monitor) {
      monitor.wait();
    }
  }

  private void timedWait(long millis) throws InterruptedException {
    synchronized (monitor) {
      monitor.wait(millis);
    }
  }
}
