package io.heddle.spring;

import io.heddle.Scheduler;
import io.heddle.Stats;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Starts a goroutine and waits until it runs: down if it does not within {@link #PATIENCE}, because
 * requests then wait as long. The details are figures of the scheduler.
 */
final class SchedulerHealthIndicator extends AbstractHealthIndicator {
  /** A hundred time slices: a scheduler whose queues are this long does not serve requests. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final Duration patience;

  SchedulerHealthIndicator(Scheduler scheduler, Duration patience) {
    super("the scheduler of goroutines cannot be asked");
    this.scheduler = scheduler;
    this.patience = patience;
  }

  @Override
  protected void doHealthCheck(Health.Builder health)
      throws InterruptedException, ExecutionException {
    Stats stats = scheduler.stats();
    health
        .withDetail("scheduler", scheduler.toString())
        .withDetail("threads", stats.threads())
        .withDetail("runnable", stats.globalQueue() + IntStream.of(stats.localQueues()).sum());
    CompletableFuture<Long> started = new CompletableFuture<>();
    long before = System.nanoTime();
    scheduler.go("health", () -> started.complete(System.nanoTime() - before));
    try {
      long nanos = started.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      health.up().withDetail("startedAfterMicros", nanos / 1_000);
    } catch (TimeoutException e) {
      health.down().withDetail("reason", "a goroutine did not start within " + patience);
    }
  }
}
