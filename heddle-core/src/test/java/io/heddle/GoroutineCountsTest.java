package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goroutines by what they do and wait for. */
@HangGuard
class GoroutineCountsTest {
  private final Scheduler scheduler =
      Scheduler.builder()
          .procs(1)
          .timeSlice(Duration.ofHours(1)) // so that a busy goroutine keeps its P
          .uncaught((_, _) -> {})
          .build();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void waitsForChannels() {
    Chan<Integer> never = Chan.make();
    Chan<Integer> other = Chan.make();
    scheduler.go(never::receive);
    scheduler.go(() -> other.send(1));
    scheduler.go(() -> Select.select(Select.recv(Chan.<Integer>make())));
    scheduler.go(() -> Select.select());
    Await.until(scheduler::goroutineCounts, waiting(4, 0, 0, 0, 0));
  }

  @Test
  void waitsForLocks() throws Exception {
    Object monitor = new Object();
    Mutex mutex = new Mutex();
    RWMutex readWrite = new RWMutex();
    ReentrantLock jdks = new ReentrantLock();
    ReentrantReadWriteLock jdksReadWrite = new ReentrantReadWriteLock();
    mutex.lock();
    readWrite.writeLock().lock();
    jdks.lock();
    jdksReadWrite.writeLock().lock();
    synchronized (monitor) {
      scheduler.go(mutex::lockInterruptibly);
      scheduler.go(() -> readWrite.readLock().lockInterruptibly());
      scheduler.go(jdks::lockInterruptibly);
      scheduler.go(() -> jdksReadWrite.readLock().lockInterruptibly());
      scheduler.go(() -> new Semaphore(1).acquire(1));
      Semaphore none = new Semaphore(1);
      none.acquire(1);
      scheduler.go(() -> none.acquire(1));
      scheduler.go(() -> new java.util.concurrent.Semaphore(0).acquire());
      scheduler.go(
          () -> {
            synchronized (monitor) {
              monitor.hashCode();
            }
          });
      Await.until(scheduler::goroutineCounts, waiting(0, 7, 0, 0, 0));
    }
  }

  @Test
  void waitsForEvents() {
    WaitGroup group = new WaitGroup();
    group.add(1);
    scheduler.go(() -> group.await());
    scheduler.go(() -> new CountDownLatch(1).await());
    scheduler.go(() -> new CompletableFuture<>().get());
    scheduler.go(() -> new LinkedBlockingQueue<>().take());
    Object monitor = new Object();
    scheduler.go(
        () -> {
          synchronized (monitor) {
            monitor.wait();
          }
        });
    Await.until(scheduler::goroutineCounts, waiting(0, 0, 5, 0, 0));
  }

  @Test
  void waitsForATime() {
    scheduler.go(() -> Thread.sleep(1_000_000));
    scheduler.go(() -> Go.sleep(Duration.ofDays(1)));
    scheduler.go(() -> LockSupport.parkNanos(1_000_000_000_000L));
    scheduler.go(LockSupport::park);
    Await.until(scheduler::goroutineCounts, waiting(0, 0, 0, 3, 1));
  }

  @Test
  void runningAndRunnableAreToldApart() throws Exception {
    try (Busy _ = Busy.start(scheduler, 1)) {
      scheduler.go(() -> {});
      scheduler.go(() -> {});
      assertThat(scheduler.goroutineCounts())
          .isEqualTo(new GoroutineCounts(1, 2, 0, 0, 0, 0, 0, 0, 0, 0));
    }
  }

  @Test
  void blockingCallCountsAsSyscall() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    scheduler.go(
        () ->
            Go.blocking(
                () -> {
                  inside.countDown();
                  while (over.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                  return 0;
                }));
    inside.await();
    assertThat(scheduler.goroutineCounts().syscall()).isEqualTo(1);
    over.countDown();
  }

  private static GoroutineCounts waiting(int channel, int lock, int event, int sleep, int other) {
    int waiting = channel + lock + event + sleep + other;
    return new GoroutineCounts(0, 0, 0, waiting, channel, lock, event, sleep, 0, other);
  }
}
