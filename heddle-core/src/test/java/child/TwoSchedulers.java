package child;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.time.Duration;

/** Uses the shared scheduler and another one for 200 ms. */
public final class TwoSchedulers {
  private TwoSchedulers() {}

  public static void main(String[] args) throws Exception {
    try (Scheduler io = Scheduler.builder().name("io").procs(3).build()) {
      io.run(() -> Go.main(() -> Go.sleep(Duration.ofMillis(200))));
    }
  }
}
