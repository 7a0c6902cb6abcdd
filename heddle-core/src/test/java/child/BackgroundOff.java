package child;

import io.heddle.Go;
import io.heddle.Limit;
import io.heddle.Scheduler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;

/** Uses background work and a limit; its test switches Heddle off. */
public final class BackgroundOff {
  private BackgroundOff() {}

  public static void main(String[] args) throws Exception {
    FutureTask<String> task =
        new FutureTask<>(
            () -> {
              Scheduler mine = Scheduler.current();
              return mine.name() + " " + mine.isBackground();
            });
    Go.background(task::run);
    System.out.println("ran on " + task.get());
    try (ExecutorService executor = Scheduler.shared().executor(Limit.blocking(1))) {
      executor.submit(() -> {}).get();
    }
    System.out.println(Scheduler.shared().limits().size() + " limit");
  }
}
