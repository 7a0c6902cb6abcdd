package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.Scheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.Test;

/** {@link BlockedOn} for joins, for cycles of waits, and for waits that any thread may end. */
class BlockedOnThreadTest extends BlockedOnFixture {
  private static final boolean JOINS_AT_MONITOR =
      JdkRelease.current().joins() == JdkRelease.Joins.MONITOR;

  /** What a thread does while it joins another one, which depends on the JDK. */
  private static final ThreadState JOINING =
      JOINS_AT_MONITOR ? ThreadState.OBJECT_WAIT : ThreadState.PARKED;

  @Test
  void joinedThreadIsReported() {
    Thread holder = parked(end::await);
    assertWaitsFor(holder, "Thread.join", go(holder::join));
  }

  @Test
  void threadThatJoinsItselfIsReported() {
    Thread self = go(() -> Thread.currentThread().join());
    assertWaitsFor(self, "Thread.join", self);
  }

  @Test
  void timedJoinIsNotReported() {
    Thread holder = parked(end::await);
    assertUnknown(
        JOINS_AT_MONITOR ? ThreadState.OBJECT_WAIT : ThreadState.TIMED_PARKED,
        go(() -> holder.join(TimeUnit.DAYS.toMillis(1))));
  }

  @Test
  void joinedPlatformThreadIsNotReported() {
    Thread self = Thread.currentThread();
    threads.add(self);
    assertUnknown(ThreadState.OBJECT_WAIT, go(() -> self.join()));
  }

  @Test
  void joinedUnlistedThreadIsNotReported() {
    Thread holder = parked(end::await);
    threads.remove(holder);
    assertUnknown(JOINING, go(holder::join));
  }

  /** A compiled join looks different to the VM. */
  @Test
  void joinedThreadIsReportedAfterManyJoins() throws InterruptedException {
    for (int i = 0; i < 3_000; i++) {
      Thread joined = go(() -> {});
      go(joined::join).join();
    }
    threads.clear();
    Thread holder = parked(end::await);
    assertWaitsFor(holder, "Thread.join", go(holder::join));
  }

  @Test
  void threadThatHoldsMonitorOfJoinedThreadIsReportedAsJoining() {
    Thread holder = parked(end::await);
    Thread joining =
        go(
            () -> {
              synchronized (holder) {
                holder.join();
              }
            });
    assertWaitsFor(holder, "Thread.join", joining);
  }

  @Test
  void waitForNotifyOfThreadIsNoJoin() {
    assertUnknown(ThreadState.OBJECT_WAIT, waitingAt(parked(end::await)));
  }

  @Test
  void cycleOfJoinAndMonitorIsReported() {
    AtomicReference<Thread> first = new AtomicReference<>();
    Thread other =
        go(
            () -> {
              Await.until(() -> first.get() != null);
              Await.until(() -> VirtualThreads.phase(first.get()), JOINING);
              synchronized (monitor) {
                monitor.notifyAll();
              }
            });
    first.set(
        go(
            () -> {
              synchronized (monitor) {
                other.join();
              }
            }));
    assertWaitForEachOther(first.get(), other);
    first.get().interrupt();
  }

  @Test
  void cycleOfTwoLocksIsReported() {
    ReentrantLock second = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    Thread one = go(() -> lockBoth(lock, second, both));
    Thread other = go(() -> lockBoth(second, lock, both));
    assertWaitForEachOther(one, other);
  }

  /** Nothing can free the two threads, so their scheduler is not closed. */
  @Test
  void cycleOfTwoMonitorsIsReported() {
    Scheduler stays = Scheduler.builder().procs(1).name("deadlocked").build();
    Object second = new Object();
    CountDownLatch both = new CountDownLatch(2);
    Thread one = go(stays, () -> enterBoth(monitor, second, both));
    Thread other = go(stays, () -> enterBoth(second, monitor, both));
    assertWaitForEachOther(one, other);
  }

  @Test
  void cycleOfLockAndMonitorIsReported() {
    CountDownLatch both = new CountDownLatch(2);
    Thread one =
        go(
            () -> {
              synchronized (monitor) {
                meet(both);
                lock.lockInterruptibly();
              }
            });
    Thread other =
        go(
            () -> {
              lock.lock();
              try {
                meet(both);
                synchronized (monitor) {
                  monitor.notifyAll();
                }
              } finally {
                lock.unlock();
              }
            });
    assertWaitForEachOther(one, other);
  }

  @Test
  void cycleOfJoinsIsReported() {
    AtomicReference<Thread> first = new AtomicReference<>();
    Thread other =
        go(
            () -> {
              Await.until(() -> first.get() != null);
              first.get().join();
            });
    first.set(go(other::join));
    assertWaitForEachOther(first.get(), other);
  }

  @Test
  void waitThatAnyThreadMayEndIsNotReported() {
    assertUnknown(ThreadState.PARKED, go(new Semaphore(0)::acquire));
    assertUnknown(ThreadState.PARKED, go(end::await));
    assertUnknown(ThreadState.PARKED, go(() -> LockSupport.park()));
    assertUnknown(ThreadState.PARKED, go(() -> LockSupport.park(monitor)));
    assertUnknown(ThreadState.PARKED, go(() -> LockSupport.park(lock)));
    assertUnknown(ThreadState.TIMED_PARKED, go(() -> Thread.sleep(TimeUnit.DAYS.toMillis(1))));
    assertUnknown(ThreadState.OBJECT_WAIT, waitingAt(monitor));
    StampedLock stamped = new StampedLock();
    stamped.writeLock();
    assertUnknown(ThreadState.PARKED, go(stamped::writeLockInterruptibly));
  }

  @Test
  void threadThatDoesNotWaitIsNotReported() throws InterruptedException {
    Thread fresh = scheduler.threadFactory().newThread(() -> {});
    assertThat(waitOf(fresh)).isNull();
    fresh.start();
    fresh.join();
    assertThat(waitOf(fresh)).isNull();
    assertThat(waitOf(Thread.currentThread())).isNull();
  }

  private static void lockBoth(ReentrantLock first, ReentrantLock second, CountDownLatch both)
      throws InterruptedException {
    first.lock();
    try {
      meet(both);
      second.lockInterruptibly();
      second.unlock();
    } finally {
      first.unlock();
    }
  }

  private static void enterBoth(Object first, Object second, CountDownLatch both)
      throws InterruptedException {
    synchronized (first) {
      meet(both);
      synchronized (second) {
        second.notifyAll();
      }
    }
  }

  private static void meet(CountDownLatch both) throws InterruptedException {
    both.countDown();
    both.await();
  }

  private void assertWaitForEachOther(Thread one, Thread other) {
    assertWaitsFor(other, "", one);
    assertWaitsFor(one, "", other);
  }
}
