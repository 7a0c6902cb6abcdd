package child;

import io.heddle.Chan;
import io.heddle.DeadlockException;
import io.heddle.Go;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A main goroutine that nothing can wake, in a program with a thread pool that lives. */
public final class LeakedMain {
  private static final AtomicInteger WOKEN = new AtomicInteger();

  private LeakedMain() {}

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    pool.submit(() -> {}).get();
    try {
      Go.main(
          () -> {
            Chan.make().receive();
            WOKEN.incrementAndGet();
          });
    } catch (DeadlockException e) {
      System.out.println(e + "\n" + WOKEN + " times woken");
    }
    pool.shutdownNow();
  }
}
