package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;

/** Who waits for the owner of a lock. */
class WaitsForLocksTest extends Waiters {
  @Test
  void theOwnerOfALock() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "java.util.concurrent.locks.ReentrantLock$NonfairSync@", go(lock::lock));
  }

  @Test
  void theOwnerOfAFairLockAlsoForTheSecondInTheQueue() {
    ReentrantLock fair = new ReentrantLock(true);
    Thread holder = parkedWith(fair);
    Thread first = go(fair::lockInterruptibly);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", first);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", go(fair::lockInterruptibly));
  }

  @Test
  void theOwnerOfALockThatCanBeInterrupted() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "ReentrantLock", go(lock::lockInterruptibly));
  }

  @Test
  void theOwnerOfAWriteLockForReadersAndWriters() {
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
  void aPlatformThreadCanBeTheOwnerOfALock() {
    lock.lock();
    try {
      assertWaitsFor(Thread.currentThread(), "ReentrantLock", go(lock::lock));
    } finally {
      lock.unlock();
    }
  }

  @Test
  void theOwnerOfALockForWhichAPinnedThreadWaits() {
    Thread holder = parkedWith(Pinning.LOCK);
    Thread waiter = go(Pinning::initialize);
    assertWaitsFor(holder, "ReentrantLock", waiter);
    assertThat(VirtualThreads.phase(waiter)).isEqualTo(ThreadState.PINNED);
  }

  @Test
  void notAnOwnerThatHasEnded() {
    Thread dead = go(lock::lock);
    Await.until(() -> VirtualThreads.isTerminated(dead));
    assertUnknown(ThreadState.PARKED, go(lock::lockInterruptibly));
  }

  @Test
  void notALockWithATimeLimit() {
    parkedWith(lock);
    assertUnknown(ThreadState.TIMED_PARKED, go(() -> lock.tryLock(1, TimeUnit.DAYS)));
  }

  @Test
  void notTheReadersOfALock() {
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    parked(
        () -> {
          both.readLock().lock();
          end.await();
        });
    assertUnknown(ThreadState.PARKED, go(both.writeLock()::lockInterruptibly));
  }

  @Test
  void notASynchronizerThatOthersMayRelease() {
    Releasable sync = new Releasable();
    parked(
        () -> {
          sync.acquire(1);
          end.await();
        });
    assertUnknown(ThreadState.PARKED, go(() -> sync.acquireInterruptibly(1)));
  }

  @Test
  void notACondition() {
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

  /** Whose initialiser waits, with a native frame on the stack. */
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

  /** Names an owner, and does not ask who releases it. */
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
