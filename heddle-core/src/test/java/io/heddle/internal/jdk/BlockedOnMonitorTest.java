package io.heddle.internal.jdk;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** {@link BlockedOn} reports the holder of the monitor that a goroutine waits for. */
class BlockedOnMonitorTest extends BlockedOnFixture {
  @Test
  void holderOfMonitorIsReported() {
    Thread holder = parkedInside(monitor);
    assertWaitsFor(holder, "monitor of java.lang.Object@", goInside(monitor));
  }

  @Test
  void holderOfClassMonitorIsReported() {
    Thread holder =
        parked(BlockedOnMonitorTest::parkInStaticSynchronizedMethod, ThreadState.PARKED);
    assertWaitsFor(
        holder,
        "monitor of class " + BlockedOnMonitorTest.class.getName(),
        goInside(BlockedOnMonitorTest.class));
    LockSupport.unpark(holder);
  }

  @Test
  void holderBlockedAtAnotherMonitorIsReported() {
    Object second = new Object();
    Thread last = parkedInside(second);
    Thread holder =
        parked(
            () -> {
              synchronized (monitor) {
                synchronized (second) {
                  second.notifyAll();
                }
              }
            },
            ThreadState.MONITOR_ENTER);
    assertWaitsFor(holder, "monitor", goInside(monitor));
    assertWaitsFor(last, "monitor", holder);
  }

  @Test
  void holderIsReportedForNotifiedWaiter() {
    Thread waiter = waitingAt(monitor);
    Thread holder =
        parked(
            () -> {
              synchronized (monitor) {
                monitor.notifyAll();
                end.await();
              }
            },
            ThreadState.PARKED);
    assertWaitsFor(holder, "monitor", waiter);
  }

  @Test
  void threadInObjectWaitIsNotReportedAsHolder() {
    Thread waiter = waitingAt(monitor);
    synchronized (monitor) {
      assertUnknown(ThreadState.MONITOR_ENTER, goInside(monitor));
      assertUnknown(ThreadState.OBJECT_WAIT, waiter);
    }
  }

  @Test
  void notifiedThreadIsNotReportedAsHolder() {
    Thread waiter = waitingAt(monitor);
    synchronized (monitor) {
      monitor.notifyAll();
      assertUnknown(ThreadState.MONITOR_ENTER, waiter);
      assertUnknown(ThreadState.MONITOR_ENTER, goInside(monitor));
      assertUnknown(ThreadState.MONITOR_ENTER, waiter);
    }
  }

  @Test
  void threadWithForeignBlockerIsNotReportedAsHolder() {
    synchronized (monitor) {
      Thread hiding =
          go(
              () -> {
                LockSupport.setCurrentBlocker("mine");
                synchronized (monitor) {
                  monitor.notifyAll();
                }
              });
      assertUnknown(ThreadState.MONITOR_ENTER, hiding);
      assertUnknown(ThreadState.MONITOR_ENTER, goInside(monitor));
    }
  }

  @Test
  void runningHolderIsNotReported() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    go(
        () -> {
          synchronized (monitor) {
            inside.countDown();
            while (end.getCount() != 0) {
              Thread.onSpinWait();
            }
          }
        });
    inside.await();
    assertUnknown(ThreadState.MONITOR_ENTER, goInside(monitor));
    end.countDown();
  }

  @Test
  void unlistedHolderIsNotReported() {
    threads.remove(parkedInside(monitor));
    assertUnknown(ThreadState.MONITOR_ENTER, goInside(monitor));
  }

  private static synchronized void parkInStaticSynchronizedMethod() {
    LockSupport.park();
  }
}
