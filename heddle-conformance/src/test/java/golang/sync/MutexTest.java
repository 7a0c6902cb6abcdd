package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import golang.GoTest;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.RWMutex;
import io.heddle.Semaphore;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/mutex_test.go}. */
class MutexTest extends GoTest {
  private static final int GOROUTINES = 10;
  private static final int LOOPS = 1000;
  private static final Duration SHORT = Duration.ofNanos(100_000);

  private int inside;

  @Test
  void semaphore() throws Exception {
    run(
        () -> {
          Semaphore one = new Semaphore(1);
          WaitGroup all = new WaitGroup();
          for (int i = 0; i < GOROUTINES; i++) {
            all.go(() -> hammer(one));
          }
          all.await();
        });
    assertThat(inside).isEqualTo(GOROUTINES * LOOPS);
  }

  @Test
  void mutex() throws Exception {
    run(
        () -> {
          Mutex m = new Mutex();
          m.lock();
          assertThat(m.tryLock()).isFalse();
          m.unlock();
          assertThat(m.tryLock()).isTrue();
          m.unlock();

          Chan<Integer> counts = Chan.make();
          for (int i = 0; i < GOROUTINES; i++) {
            Go.go(() -> counts.send(hammer(m)));
          }
          int locked = sum(counts);
          assertThat(inside).isEqualTo(locked);
        });
  }

  @Test
  void mutexMisuse() throws Exception {
    run(
        () -> {
          Mutex m = new Mutex();
          refusesUnlock(m);
          m.lock();
          m.unlock();
          refusesUnlock(m);
          assertThat(m.tryLock()).isTrue();

          RWMutex rw = new RWMutex();
          refusesUnlock(rw.writeLock());
          refusesUnlock(rw.readLock());
          unlocksOnlyItself(rw.readLock(), rw.writeLock());
          unlocksOnlyItself(rw.writeLock(), rw.readLock());
          assertThat(rw.writeLock().tryLock()).isTrue();
        });
  }

  /** A goroutine that holds the mutex nearly all the time does not starve another one. */
  @Test
  void mutexFairness() throws Exception {
    run(
        () -> {
          Mutex m = new Mutex();
          Chan<Void> stop = Chan.make();
          Go.go(() -> hog(m, stop));
          for (int i = 0; i < 10; i++) {
            Go.sleep(SHORT);
            m.lock();
            m.unlock();
          }
          stop.close();
        });
  }

  private void hammer(Semaphore one) throws InterruptedException {
    for (int i = 0; i < LOOPS; i++) {
      one.acquire(1);
      inside++;
      one.release(1);
    }
  }

  /** How often it acquired the mutex. */
  private int hammer(Mutex m) {
    int times = 0;
    for (int i = 0; i < LOOPS; i++) {
      boolean locked = i % 3 == 0 ? m.tryLock() : lock(m);
      if (locked) {
        times++;
        inside++;
        m.unlock();
      }
    }
    return times;
  }

  private static boolean lock(Mutex m) {
    m.lock();
    return true;
  }

  private static int sum(Chan<Integer> counts) throws InterruptedException {
    int sum = 0;
    for (int i = 0; i < GOROUTINES; i++) {
      sum += counts.receive();
    }
    return sum;
  }

  private static void hog(Mutex m, Chan<Void> stop) throws InterruptedException {
    while (!stop.isClosed()) {
      m.lock();
      Go.sleep(SHORT);
      m.unlock();
    }
  }

  private static void unlocksOnlyItself(Lock locked, Lock other) {
    locked.lock();
    refusesUnlock(other);
    locked.unlock();
    refusesUnlock(locked);
  }

  private static void refusesUnlock(Lock lock) {
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unlock");
  }
}
