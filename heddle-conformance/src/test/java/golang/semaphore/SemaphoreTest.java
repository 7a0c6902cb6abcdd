package golang.semaphore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Group;
import io.heddle.Semaphore;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Go's {@code golang.org/x/sync/semaphore/semaphore_test.go}. An interrupt replaces the end of a
 * context.
 */
class SemaphoreTest extends GoTest {
  private static final String WAITING = "semacquire";

  @Test
  void weighted() throws Exception {
    run(
        () -> {
          int n = Go.procs() + 1;
          Semaphore sem = new Semaphore(n);
          AtomicLong held = new AtomicLong();
          AtomicLong most = new AtomicLong();
          WaitGroup all = new WaitGroup();
          for (int i = 0; i <= n; i++) {
            int weight = i;
            all.go(() -> hammer(sem, weight, held, most));
          }
          all.await();
          assertThat(most).hasValueBetween(1L, (long) n);
          assertThat(sem.tryAcquire(n)).isTrue();
        });
  }

  @Test
  void weightedPanic() throws Exception {
    run(() -> assertThatIllegalStateException().isThrownBy(() -> new Semaphore(1).release(1)));
  }

  @Test
  void weightedTryAcquire() throws Exception {
    run(
        () -> {
          Semaphore sem = new Semaphore(2);
          sem.acquire(1);
          assertThat(sem.tryAcquire(1)).isTrue();
          assertThat(sem.tryAcquire(1)).isFalse();
          sem.release(2);
          assertThat(sem.tryAcquire(1)).isTrue();
          sem.acquire(1);
          assertThat(sem.tryAcquire(1)).isFalse();
        });
  }

  @Test
  void weightedAcquire() throws Exception {
    run(
        () -> {
          Semaphore sem = new Semaphore(2);
          sem.acquire(1);
          assertThat(acquires(sem)).isTrue();
          assertThat(acquires(sem)).isFalse();
          sem.release(2);
          assertThat(acquires(sem)).isTrue();
          sem.acquire(1);
          assertThat(acquires(sem)).isFalse();
        });
  }

  /**
   * A request above the capacity fails at once and does not wait; no other request waits behind it.
   */
  @Test
  void weightedDoesntBlockIfTooBig() throws Exception {
    run(
        () -> {
          int n = 2;
          Semaphore sem = new Semaphore(n);
          assertThatIllegalArgumentException().isThrownBy(() -> sem.acquire(n + 1));
          assertThat(sem.tryAcquire(n + 1)).isFalse();
          Group group = new Group();
          for (int i = 0; i < 3 * n; i++) {
            group.go(
                () -> {
                  sem.acquire(1);
                  Go.gosched();
                  sem.release(1);
                });
          }
          group.await();
          assertThat(sem.tryAcquire(n)).isTrue();
        });
  }

  @Test
  void largeAcquireDoesntStarve() throws Exception {
    run(
        () -> {
          int n = Go.procs() + 1;
          Semaphore sem = new Semaphore(n);
          AtomicBoolean running = new AtomicBoolean(true);
          WaitGroup small = new WaitGroup();
          for (int i = 0; i < n; i++) {
            sem.acquire(1);
            small.go(() -> giveBackAndAcquire(sem, running));
          }
          sem.acquire(n);
          running.set(false);
          sem.release(n);
          small.await();
        });
  }

  /** Requests queued after one that gives up proceed. */
  @Test
  void allocCancelDoesntStarve() throws Exception {
    run(
        () -> {
          Semaphore sem = new Semaphore(10);
          sem.acquire(1);
          Chan<Boolean> got = Chan.make(1);
          Goroutine large = Go.go(() -> got.send(acquires(sem, 10)));
          Until.asleep(large, WAITING);
          assertThat(sem.tryAcquire(1)).isFalse();
          Go.go(large::interrupt);
          sem.acquire(1);
          assertThat(got.receive()).isFalse();
          sem.release(2);
          assertThat(sem.tryAcquire(10)).isTrue();
        });
  }

  /** If a release comes right after the interrupt, one of the two wins. */
  @Test
  void weightedAcquireCanceled() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 50; i++) {
            Semaphore sem = new Semaphore(2);
            sem.acquire(1);
            Chan<Boolean> got = Chan.make(1);
            Goroutine g = Go.go(() -> got.send(acquiresOrIsInterrupted(sem)));
            Until.asleep(g, WAITING);
            g.interrupt();
            sem.release(1);
            if (got.receive()) {
              sem.release(2);
            }
            assertThat(sem.tryAcquire(2)).isTrue();
          }
          doesNotAcquireWithTheFlagSet();
        });
  }

  private static void doesNotAcquireWithTheFlagSet() {
    Thread.currentThread().interrupt();
    assertThat(acquiresOrIsInterrupted(new Semaphore(2))).isFalse();
  }

  private static void hammer(Semaphore sem, int weight, AtomicLong held, AtomicLong most)
      throws InterruptedException {
    for (int i = 0; i < 30; i++) {
      sem.acquire(weight);
      most.accumulateAndGet(held.addAndGet(weight), Math::max);
      Go.sleep(Duration.ofNanos(ThreadLocalRandom.current().nextInt(100_000)));
      held.addAndGet(-weight);
      sem.release(weight);
    }
  }

  private static void giveBackAndAcquire(Semaphore sem, AtomicBoolean running)
      throws InterruptedException {
    while (running.get()) {
      Go.sleep(Duration.ofNanos(100_000));
      sem.release(1);
      sem.acquire(1);
    }
    sem.release(1);
  }

  /** False if the request waits; the wait is then ended. */
  private static boolean acquires(Semaphore sem) throws InterruptedException {
    Chan<Boolean> got = Chan.make(1);
    Goroutine g = Go.go(() -> got.send(acquires(sem, 1)));
    Until.until(() -> got.length() == 1 || g.waitReason().equals(WAITING));
    g.interrupt();
    return got.receive();
  }

  private static boolean acquires(Semaphore sem, long n) {
    try {
      sem.acquire(n);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Clears the flag of a late interrupt. */
  private static boolean acquiresOrIsInterrupted(Semaphore sem) {
    boolean acquired = acquires(sem, 2);
    assertThat(Thread.interrupted()).isEqualTo(acquired);
    return acquired;
  }
}
