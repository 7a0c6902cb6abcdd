package io.heddle.internal.dashboard;

import io.heddle.Await;
import io.heddle.Goroutine;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import io.heddle.internal.sched.G;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The dashboard shows the reason of the present wait, and not of an earlier one. */
@HangGuard
class WaitReasonCacheTest {
  private static final int ROUNDS = 100;

  @Test
  void reasonOfNextWaitReplacesTheOneBefore() {
    WaitReasonCache cache = new WaitReasonCache();
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      for (int i = 0; i < ROUNDS; i++) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Goroutine goroutine =
            scheduler.go(
                () -> {
                  thread.set(Thread.currentThread());
                  LockSupport.park();
                  Thread.sleep(Duration.ofDays(1));
                });
        G g = (G) goroutine;
        Await.until(() -> cache.round(1).of(g), "park");
        LockSupport.unpark(thread.get());
        Await.until(() -> cache.round(1).of(g), "sleep");
        thread.get().interrupt();
      }
    }
  }
}
