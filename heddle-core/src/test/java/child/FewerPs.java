package child;

import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Two endless loops run on two Ps, then {@code procs(1)} leaves one P. The program ends when each
 * loop has been seen waiting for its turn.
 */
public final class FewerPs {
  private static volatile long sink;

  private FewerPs() {}

  public static void main(String[] args) throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(2).build();
    CountDownLatch running = new CountDownLatch(2);
    Goroutine one = scheduler.go(() -> compute(running));
    Goroutine other = scheduler.go(() -> compute(running));
    running.await();
    scheduler.procs(1);
    awaitTurn(scheduler, one);
    awaitTurn(scheduler, other);
    System.out.println("both waited");
    System.exit(0);
  }

  private static void compute(CountDownLatch running) {
    running.countDown();
    long x = 1;
    while (x != 0) {
      x += 2;
    }
    sink = x;
  }

  /** Waits until the goroutine is runnable, while other goroutines need the P now and then. */
  private static void awaitTurn(Scheduler scheduler, Goroutine goroutine)
      throws InterruptedException {
    Goroutine visitor = scheduler.go(() -> {});
    while (goroutine.state() != Goroutine.State.RUNNABLE) {
      if (visitor.join(Duration.ofMillis(1))) {
        visitor = scheduler.go(() -> Go.sleep(Duration.ofMillis(1)));
      }
    }
  }
}
