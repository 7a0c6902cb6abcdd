package frameworks;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code Schedulers.boundedElastic()} on virtual threads, by {@code
 * -Dreactor.schedulers.defaultBoundedElasticOnVirtualThreads=true}, and the agent.
 */
final class ReactorElastic {
  private ReactorElastic() {}

  public static void main(String[] args) throws InterruptedException {
    Proof.of(task -> Mono.fromRunnable(task).subscribeOn(Schedulers.boundedElastic()).subscribe());
  }
}
