package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class SemaphoreTest {
  private static final String REASON = "semacquire";

  private final Semaphore semaphore = new Semaphore(10);
  private final AtomicLong held = new AtomicLong();
  private final AtomicInteger wrong = new AtomicInteger();

  @Test
  void acquiredPermitsNeverExceedTheWeight() throws Exception {
    semaphore.acquire(7);
    assertThat(semaphore.tryAcquire(4)).isFalse();
    assertThat(semaphore.tryAcquire(3)).isTrue();
    assertThat(semaphore.tryAcquire(1)).isFalse();
    assertThat(semaphore.tryAcquire(0)).isTrue();
    assertThat(semaphore.tryAcquire(11)).isFalse();
    semaphore.release(10);
    semaphore.acquire(10);
    assertThat(semaphore).hasToString("Semaphore[10 of 10]");
  }

  @Test
  void misuseThrowsWithReason() throws Exception {
    assertThatThrownBy(() -> new Semaphore(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.acquire(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.tryAcquire(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.release(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.acquire(11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acquire of 11 from a semaphore of 10");
    assertThatThrownBy(() -> semaphore.release(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("release of 1 when only 0 is held");
    semaphore.acquire(10);
    assertThatThrownBy(() -> semaphore.release(11)).isInstanceOf(IllegalStateException.class);
    assertThat(semaphore).as("unchanged").hasToString("Semaphore[10 of 10]");
  }

  @Tag("machine")
  @Test
  void waitersAcquireInOrder() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      List<Long> order = Collections.synchronizedList(new ArrayList<>());
      semaphore.acquire(10);
      for (long n : new long[] {8, 1, 1}) {
        start(scheduler, n, order);
      }
      semaphore.release(7);
      assertThat(semaphore.tryAcquire(1)).as("others wait").isFalse();
      Await.idle(scheduler);
      assertThat(order).as("a small acquire waits behind a large one").isEmpty();
      semaphore.release(1);
      Await.until(order::size, 1);
      semaphore.release(2);
      Await.until(order::size, 3);
      assertThat(order).containsExactly(8L, 1L, 1L);
      assertThat(semaphore).hasToString("Semaphore[10 of 10]");
    }
  }

  private Goroutine start(Scheduler scheduler, long n, List<Long> order) {
    Goroutine g =
        scheduler.go(
            () -> {
              semaphore.acquire(n);
              order.add(n);
            });
    Await.until(g::waitReason, REASON);
    return g;
  }

  @Test
  void interruptedWaiterLetsLaterWaitersIn() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      List<Long> order = Collections.synchronizedList(new ArrayList<>());
      AtomicInteger interrupted = new AtomicInteger();
      semaphore.acquire(8);
      Goroutine hasty =
          scheduler.go(
              () -> {
                try {
                  semaphore.acquire(3);
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      Await.until(hasty::waitReason, REASON);
      Goroutine behind = start(scheduler, 2, order);
      hasty.interrupt();
      behind.join();
      hasty.join();
      assertThat(interrupted).hasValue(1);
      assertThat(order).containsExactly(2L);
    }
  }

  /** On one P the waiter runs only after both calls. */
  @Test
  void waiterInterruptedDuringGrantKeepsPermitsAndInterrupt() throws Exception {
    AtomicInteger both = new AtomicInteger();
    OneP.run(
        () -> {
          semaphore.acquire(10);
          Goroutine waiter =
              Go.go(
                  () -> {
                    semaphore.acquire(6);
                    both.addAndGet(Thread.interrupted() ? 1 : 0);
                  });
          while (!waiter.waitReason().equals(REASON)) {
            Go.gosched();
          }
          semaphore.release(10);
          waiter.interrupt();
          waiter.join();
        });
    assertThat(both).hasValue(1);
    assertThat(semaphore).hasToString("Semaphore[6 of 10]");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void noPermitIsLostUnderLoad(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      Thread platform = Thread.ofPlatform().start(() -> use(1, 200));
      scheduler.run(
          () -> {
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < 100; i++) {
              long n = i % 10 + 1;
              Goroutine g = all.go(() -> use(n, 50));
              if (i % 4 == 0) {
                all.go(
                    () -> {
                      for (int k = 0; k < 50; k++) {
                        g.interrupt();
                        Go.gosched();
                      }
                    });
              }
            }
            all.await();
          });
      platform.join();
    }
    assertThat(wrong).hasValue(0);
    assertThat(semaphore).hasToString("Semaphore[0 of 10]");
    assertThat(semaphore.tryAcquire(10)).isTrue();
  }

  /** A waiter that has given up but not left the queue yet is skipped. */
  @Test
  void leavingWaiterIsSkipped() throws Exception {
    Thread hasty =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100_000; i++) {
                    Thread.currentThread().interrupt();
                    use(10, 1);
                  }
                });
    while (hasty.isAlive()) {
      use(10, 1);
    }
    assertThat(wrong).hasValue(0);
    assertThat(semaphore).hasToString("Semaphore[0 of 10]");
  }

  private void use(long n, int times) {
    for (int i = 0; i < times; i++) {
      try {
        semaphore.acquire(n);
      } catch (InterruptedException e) {
        continue;
      }
      if (held.addAndGet(n) > 10) {
        wrong.incrementAndGet();
      }
      Go.gosched();
      held.addAndGet(-n);
      semaphore.release(n);
    }
  }
}
