package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class MutexTest {
  private static final String REASON = "sync.Mutex.Lock";

  private final Mutex mutex = new Mutex();
  private int counter;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void mutexExcludesGoroutines(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < 100; i++) {
              all.go(() -> count(200));
            }
            all.await();
          });
    }
    assertThat(counter).isEqualTo(100 * 200);
    assertThat(mutex.tryLock()).isTrue();
  }

  @Test
  void mutexExcludesPlatformThreadsAndGoroutines() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(Thread.ofPlatform().start(() -> count(1_000)));
        scheduler.go(() -> count(1_000));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(counter).isEqualTo(8_000);
  }

  private void count(int times) {
    for (int i = 0; i < times; i++) {
      mutex.lock();
      try {
        int now = counter;
        if (i % 16 == 0) {
          Go.gosched();
        }
        counter = now + 1;
      } finally {
        mutex.unlock();
      }
    }
  }

  @Test
  void unlockOfUnlockedMutexThrows() {
    assertThatThrownBy(mutex::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unlock of an unlocked mutex");
    mutex.lock();
    mutex.unlock();
    assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalStateException.class);
    assertThat(mutex.tryLock()).as("still usable").isTrue();
  }

  @Test
  void mutexIsNeitherReentrantNorOwned() throws Exception {
    mutex.lock();
    assertThat(mutex.tryLock()).isFalse();
    Thread other = Thread.ofPlatform().start(mutex::unlock);
    other.join();
    assertThat(mutex.tryLock()).isTrue();
  }

  @Test
  void waiterHasWaitReason() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      mutex.lock();
      Goroutine waiter = scheduler.go(() -> mutex.lock());
      Await.until(waiter::waitReason, REASON);
      mutex.unlock();
      waiter.join();
      assertThat(mutex.tryLock()).isFalse();
    }
  }

  @Test
  void longWaitersGetTheMutexInOrderBeforeNewcomers() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      mutex.lock();
      for (int i = 0; i < 3; i++) {
        int number = i;
        Goroutine g =
            scheduler.go(
                () -> {
                  mutex.lock();
                  order.add(number);
                });
        Await.until(g::waitReason, REASON);
      }
      waitLongerThanAMillisecond();
      for (int i = 0; i < 3; i++) {
        mutex.unlock();
        assertThat(mutex.tryLock()).as("it was handed over").isFalse();
        int size = i + 1;
        Await.until(order::size, size);
      }
      mutex.unlock();
      assertThat(order).containsExactly(0, 1, 2);
      assertThat(mutex.tryLock()).isTrue();
    }
  }

  @Test
  void newcomerMayOvertakeRecentWaiter() throws Exception {
    // The waiter queues and the mutex is unlocked at once, on one P. Unless the machine pauses in
    // between, the mutex is not handed over.
    boolean overtaken = false;
    for (int i = 0; i < 1_000 && !overtaken; i++) {
      Mutex m = new Mutex();
      boolean[] got = new boolean[1];
      OneP.run(
          () -> {
            m.lock();
            Go.go(
                () -> {
                  m.lock();
                  m.unlock();
                });
            Go.gosched();
            m.unlock();
            got[0] = m.tryLock();
            if (got[0]) {
              Go.gosched();
              m.unlock();
            }
          });
      overtaken = got[0];
      assertThat(m.tryLock()).isTrue();
    }
    assertThat(overtaken).isTrue();
  }

  private static void waitLongerThanAMillisecond() {
    long start = System.nanoTime();
    Await.until(() -> System.nanoTime() - start > 2_000_000);
  }

  @Test
  void interruptEndsOnlyInterruptibleWait() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      mutex.lock();
      AtomicInteger interrupted = new AtomicInteger();
      Goroutine patient =
          scheduler.go(
              () -> {
                mutex.lock();
                interrupted.addAndGet(Thread.interrupted() ? 10 : 0);
              });
      Await.until(patient::waitReason, REASON);
      Goroutine hasty =
          scheduler.go(
              () -> {
                try {
                  mutex.lockInterruptibly();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      Await.until(hasty::waitReason, REASON);
      patient.interrupt();
      hasty.interrupt();
      hasty.join();
      assertThat(interrupted).hasValue(1);
      mutex.unlock();
      patient.join();
      assertThat(interrupted).as("it owns the mutex and keeps the interrupt").hasValue(11);
      mutex.unlock();
      assertThat(mutex.tryLock()).isTrue();
    }
  }

  @Test
  void timeoutEndsTheWait() throws Exception {
    mutex.lock();
    assertThat(mutex.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(mutex.tryLock(0, TimeUnit.MILLISECONDS)).isFalse();
    mutex.unlock();
    assertThat(mutex.tryLock(1, TimeUnit.HOURS)).isTrue();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> mutex.tryLock(1, TimeUnit.HOURS))
        .isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(mutex::lockInterruptibly).isInstanceOf(InterruptedException.class);
    mutex.unlock();
    assertThat(mutex.tryLock()).isTrue();
  }

  /**
   * When the mutex reaches a waiter that is interrupted or has timed out, the waiter takes it, or
   * the next waiter gets it.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void interruptsAndTimeoutsLoseNothing(int procs) throws Exception {
    AtomicInteger locked = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < 20; i++) {
              all.go(() -> count(100));
              all.go(() -> countHastily(locked, false));
              Goroutine hasty = all.go(() -> countHastily(locked, true));
              all.go(
                  () -> {
                    for (int k = 0; k < 50; k++) {
                      hasty.interrupt();
                      Go.gosched();
                    }
                  });
            }
            all.await();
          });
    }
    assertThat(counter).isEqualTo(20 * 100 + locked.get());
    assertThat(mutex.tryLock()).isTrue();
    assertThat(mutex).hasToString("Mutex[locked]");
    mutex.unlock();
    assertThat(mutex).hasToString("Mutex[unlocked]");
  }

  /** A waiter that has given up but not left the queue yet is skipped. */
  @Test
  void leavingWaiterIsSkipped() throws Exception {
    AtomicInteger locked = new AtomicInteger();
    Thread hasty =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100_000; i++) {
                    try {
                      if (mutex.tryLock(1, TimeUnit.NANOSECONDS)) {
                        counter++;
                        locked.incrementAndGet();
                        mutex.unlock();
                      }
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  }
                });
    int mine = 0;
    for (; hasty.isAlive(); mine++) {
      mutex.lock();
      counter++;
      mutex.unlock();
    }
    assertThat(counter).isEqualTo(mine + locked.get());
    assertThat(mutex.tryLock()).isTrue();
  }

  private void countHastily(AtomicInteger locked, boolean interruptibly) {
    for (int i = 0; i < 100; i++) {
      try {
        if (interruptibly) {
          mutex.lockInterruptibly();
        } else if (!mutex.tryLock(20, TimeUnit.MICROSECONDS)) {
          continue;
        }
      } catch (InterruptedException e) {
        continue;
      }
      counter++;
      locked.incrementAndGet();
      mutex.unlock();
    }
  }

  /** On one P the waiter runs only after both calls: it owns the mutex and is still interrupted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ownerInterruptedDuringHandOverKeepsMutexAndInterrupt(boolean interruptFirst)
      throws Exception {
    AtomicInteger both = new AtomicInteger();
    OneP.run(
        () -> {
          mutex.lock();
          Goroutine waiter =
              Go.go(
                  () -> {
                    mutex.lockInterruptibly();
                    both.addAndGet(Thread.interrupted() ? 1 : 0);
                  });
          while (!waiter.waitReason().equals(REASON)) {
            Go.gosched();
          }
          if (interruptFirst) {
            waiter.interrupt();
          }
          mutex.unlock();
          waiter.interrupt();
          waiter.join();
        });
    assertThat(both).hasValue(1);
    assertThat(mutex.tryLock()).as("it has it").isFalse();
    mutex.unlock();
    assertThat(mutex.tryLock()).isTrue();
  }

  @Test
  void conditionWakesInOrder() throws Exception {
    Condition condition = mutex.newCondition();
    try (Scheduler scheduler = OneP.scheduler()) {
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < 3; i++) {
        int number = i;
        Goroutine g =
            scheduler.go(
                () -> {
                  mutex.lock();
                  condition.await();
                  order.add(number);
                  mutex.unlock();
                });
        Await.until(g::waitReason, "sync.Cond.Wait");
      }
      signal(condition, false);
      Await.until(order::size, 1);
      signal(condition, true);
      Await.until(order::size, 3);
      assertThat(order.getFirst()).isZero();
      assertThat(order).containsExactlyInAnyOrder(0, 1, 2);
    }
  }

  @Test
  void conditionRelocksAfterInterruptOrTimeout() throws Exception {
    Condition condition = mutex.newCondition();
    assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(condition::await).isInstanceOf(IllegalMonitorStateException.class);
    mutex.lock();
    assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(mutex.tryLock()).as("locked again").isFalse();
    Thread.currentThread().interrupt();
    assertThatThrownBy(condition::await).isInstanceOf(InterruptedException.class);
    assertThat(mutex.tryLock()).as("still locked").isFalse();
    mutex.unlock();
    Goroutine g = Go.go(() -> lockAndAwait(condition));
    Await.until(g::waitReason, "sync.Cond.Wait");
    g.interrupt();
    g.join();
    assertThat(mutex.tryLock()).as("locked by the interrupted goroutine").isFalse();
  }

  private void lockAndAwait(Condition condition) {
    mutex.lock();
    assertThatThrownBy(condition::await).isInstanceOf(InterruptedException.class);
  }

  private void signal(Condition condition, boolean all) {
    mutex.lock();
    if (all) {
      condition.signalAll();
    } else {
      condition.signal();
    }
    mutex.unlock();
  }
}
