package frameworks;

import io.heddle.Scheduler;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reactor with a goroutine for each task that may block. */
final class ReactorTasks {
  private ReactorTasks() {}

  public static void main(String[] args) throws InterruptedException {
    // recipe
    reactor.core.scheduler.Scheduler goroutines =
        Schedulers.fromExecutorService(Scheduler.shared().executor());
    // end
    Proof.of(task -> Mono.fromRunnable(task).subscribeOn(goroutines).subscribe());
  }
}
