package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/** {@link BlockedOn} reports the owner of the lock that a goroutine waits for. */
class BlockedOnLockTest extends BlockedOnFixture {
  @Test
  void ownerOfLockIsReported() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "java.util.concurrent.locks.ReentrantLock$NonfairSync@", go(lock::lock));
  }

  @Test
  void ownerOfFairLockIsReportedForSecondWaiter() {
    ReentrantLock fair = new ReentrantLock(true);
    Thread holder = parkedWith(fair);
    Thread first = go(fair::lockInterruptibly);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", first);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", go(fair::lockInterruptibly));
  }

  @Test
  void ownerOfInterruptiblyAcquiredLockIsReported() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "ReentrantLock", go(lock::lockInterruptibly));
  }

  @Test
  void ownerOfWriteLockIsReportedForReadersAndWriters() {
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    Thread holder =
        parked(
            () -> {
              both.writeLock().lock();
              end.await();
            });
    assertWaitsFor(holder, "ReentrantReadWriteLock", go(both.readLock()::lockInterruptibly));
    assertWaitsFor(holder, "ReentrantReadWriteLock", go(both.writeLock()::lockInterruptibly));
  }

  @Test
  void platformThreadIsReportedAsOwner() {
    lock.lock();
    try {
      assertWaitsFor(Thread.currentThread(), "ReentrantLock", go(lock::lock));
    } finally {
      lock.unlock();
    }
  }

  @Test
  void ownerIsReportedForPinnedWaiter() {
    Thread holder = parkedWith(Pinning.LOCK);
    Thread waiter = go(Pinning::initialize);
    assertWaitsFor(holder, "ReentrantLock", waiter);
    assertThat(VirtualThreads.phase(waiter)).isEqualTo(ThreadState.PINNED);
  }

  @Test
  void endedOwnerIsNotReported() {
    Thread dead = go(lock::lock);
    Await.until(() -> VirtualThreads.isTerminated(dead));
    assertUnknown(ThreadState.PARKED, go(lock::lockInterruptibly));
  }

  @Test
  void timedLockIsNotReported() {
    parkedWith(lock);
    assertUnknown(ThreadState.TIMED_PARKED, go(() -> lock.tryLock(1, TimeUnit.DAYS)));
  }

  @Test
  void readersOfLockAreNotReported() {
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    parked(
        () -> {
          both.readLock().lock();
          end.await();
        });
    assertUnknown(ThreadState.PARKED, go(both.writeLock()::lockInterruptibly));
  }

  @Test
  void synchronizerThatAnyThreadMayReleaseIsNotReported() {
    Releasable sync = new Releasable();
    parked(
        () -> {
          sync.acquire(1);
          end.await();
        });
    assertUnknown(ThreadState.PARKED, go(() -> sync.acquireInterruptibly(1)));
  }

  @Test
  void conditionIsNotReported() {
    Condition condition = lock.newCondition();
    Thread waiter =
        go(
            () -> {
              lock.lock();
              condition.await();
            });
    Await.until(() -> VirtualThreads.phase(waiter), ThreadState.PARKED);
    parkedWith(lock);
    assertUnknown(ThreadState.PARKED, waiter);
  }

  /** Its static initializer waits with a native frame on the stack. */
  private static final class Pinning {
    static final ReentrantLock LOCK = new ReentrantLock();

    static void initialize() {
      Waiting.touch();
    }

    private static final class Waiting {
      static {
        LOCK.lock();
        LOCK.unlock();
      }

      static void touch() {}
    }
  }

  /** Records an owner, but any thread may release it. */
  @SuppressWarnings("serial")
  private static final class Releasable extends AbstractQueuedSynchronizer {
    @Override
    protected boolean tryAcquire(int ignored) {
      if (!compareAndSetState(0, 1)) {
        return false;
      }
      setExclusiveOwnerThread(Thread.currentThread());
      return true;
    }
  }
}
