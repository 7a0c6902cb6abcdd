package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The blocking operations of the JDK, in many more goroutines than there are Ps: each parks its
 * goroutine and frees its P.
 */
@HangGuard
class JdkBlockingTest {
  private static final int GOROUTINES = 200;

  private long count;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void synchronizedBlocksExcludeEachOther(int procs) {
    Object lock = new Object();
    inMany(
        procs,
        () -> {
          for (int i = 0; i < 20; i++) {
            synchronized (lock) {
              count++;
              Thread.yield(); // while it holds the monitor
            }
          }
        });
    assertThat(count).isEqualTo(20 * GOROUTINES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void objectWaitParksAndNotifyAllWakes(int procs) {
    Object lock = new Object();
    inMany(
        procs,
        () -> {
          synchronized (lock) {
            count++;
            lock.notifyAll();
            while (count < GOROUTINES) {
              lock.wait();
            }
          }
        });
    assertThat(count).isEqualTo(GOROUTINES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void reentrantLockExcludesGoroutines(int procs) {
    ReentrantLock lock = new ReentrantLock();
    inMany(
        procs,
        () -> {
          for (int i = 0; i < 20; i++) {
            lock.lock();
            try {
              count++;
              Thread.yield();
            } finally {
              lock.unlock();
            }
          }
        });
    assertThat(count).isEqualTo(20 * GOROUTINES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void threadSleepEnds(int procs) {
    AtomicLong woken = new AtomicLong();
    inMany(
        procs,
        () -> {
          Thread.sleep(1);
          woken.incrementAndGet();
        });
    assertThat(woken).hasValue(GOROUTINES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void blockingQueuePassesEveryElement(int procs) {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    AtomicLong sum = new AtomicLong();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 1; i <= GOROUTINES; i++) {
        int number = i;
        scheduler.go(() -> sum.addAndGet(queue.take()));
        scheduler.go(() -> queue.put(number));
      }
    }
    assertThat(sum).hasValue(GOROUTINES * (GOROUTINES + 1L) / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void barrierSemaphoreAndLatchRelease(int procs) {
    CyclicBarrier barrier = new CyclicBarrier(GOROUTINES);
    Semaphore semaphore = new Semaphore(3);
    CountDownLatch latch = new CountDownLatch(GOROUTINES);
    AtomicLong passed = new AtomicLong();
    inMany(
        procs,
        () -> {
          barrier.await();
          semaphore.acquire();
          Thread.yield();
          semaphore.release();
          latch.countDown();
          latch.await();
          passed.incrementAndGet();
        });
    assertThat(passed).hasValue(GOROUTINES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void monitorExcludesGoroutinesAndPlatformThread(int procs) throws Exception {
    Object lock = new Object();
    Thread outside =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 2_000; i++) {
                    synchronized (lock) {
                      count++;
                    }
                  }
                });
    inMany(
        procs,
        () -> {
          for (int i = 0; i < 20; i++) {
            synchronized (lock) {
              count++;
            }
          }
        });
    outside.join();
    assertThat(count).isEqualTo(2_000 + 20 * GOROUTINES);
  }

  private static void inMany(int procs, Task task) {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < GOROUTINES; i++) {
        scheduler.go(task);
      }
    }
  }
}
