package child;

import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.util.concurrent.CountDownLatch;

/** Two loops run on two Ps, and then there is one P. Ends when each of them has been seen to wait for its turn. */
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
    awaitTurn(one);
    awaitTurn(other);
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

  private static void awaitTurn(Goroutine goroutine) {
    while (goroutine.state() != Goroutine.State.RUNNABLE) {
      Thread.onSpinWait();
    }
  }
}
