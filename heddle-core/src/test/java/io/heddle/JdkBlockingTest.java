package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The blocking operations of the JDK, in many more goroutines than there are Ps: each parks its
 * goroutine and frees its P.
 */
@HangGuard
@Tag("jdks")
class JdkBlockingTest {
  private static final int GOROUTINES = 200;

  private long count;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void synchronizedBlocksExcludeEachOther(int procs) {
    Object lock = new Object();
    countsInMany(
        procs,
        step -> {
          synchronized (lock) {
            step.run();
          }
        });
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
    countsInMany(
        procs,
        step -> {
          lock.lock();
          try {
            step.run();
          } finally {
            lock.unlock();
          }
        });
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

  /**
   * Counts 20 times in each goroutine, in steps that {@code lock} passes to a lock. The goroutine
   * yields while it holds the lock, so each count is right only if the lock excludes all others.
   */
  private void countsInMany(int procs, Consumer<Runnable> lock) {
    inMany(
        procs,
        () -> {
          for (int i = 0; i < 20; i++) {
            lock.accept(
                () -> {
                  long before = count;
                  Thread.yield();
                  count = before + 1;
                });
          }
        });
    assertThat(count).isEqualTo(20 * GOROUTINES);
  }

  private static void inMany(int procs, Task task) {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < GOROUTINES; i++) {
        scheduler.go(task);
      }
    }
  }
}
