package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.Chan;
import io.heddle.Goroutine;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A witness holds only as long as its goroutine does not run. */
@HangGuard
class RunWitnessTest {
  private static final int ROUNDS = 20_000;

  private final Scheduler scheduler = Scheduler.builder().procs(2).uncaught((_, _) -> {}).build();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void holdsWhileTheGoroutineWaits() {
    Chan<String> channel = Chan.make();
    G g = (G) scheduler.go(channel::receive);
    Await.until(() -> g.goroutineState() == GoroutineState.WAITING);
    RunWitness witness = RunWitness.of(g);
    assertThat(witness).isNotNull();
    for (int i = 0; i < 100; i++) {
      assertThat(g.thread().getStackTrace()).isNotEmpty(); // suspends the thread for a moment
      assertThat(witness.holds(g)).isTrue();
    }
  }

  @Test
  void runningGoroutineHasNone() {
    AtomicLong count = new AtomicLong();
    Goroutine running =
        scheduler.go(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                count.incrementAndGet();
              }
            });
    Await.until(() -> count.get() > 0);
    assertThat(RunWitness.of((G) running)).isNull();
  }

  /** The goroutine counts its runs. If a witness holds, the count has not changed. */
  @Test
  void doesNotHoldAfterRun() {
    AtomicLong runs = new AtomicLong();
    G g =
        (G)
            scheduler.go(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    runs.incrementAndGet();
                    LockSupport.park();
                  }
                });
    int held = 0;
    // On a busy machine all rounds may be over before the goroutine waits for the first time.
    for (int i = 0; i < ROUNDS || held == 0; i++) {
      RunWitness witness = RunWitness.of(g);
      long before = runs.get();
      if (i % 4 == 0) {
        LockSupport.unpark(g.thread());
      }
      long after = runs.get();
      if (witness != null && witness.holds(g)) {
        held++;
        assertThat(after).isEqualTo(before);
      }
    }
  }
}
