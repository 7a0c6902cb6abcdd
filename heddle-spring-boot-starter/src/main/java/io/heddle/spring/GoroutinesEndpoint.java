package io.heddle.spring;

import io.heddle.Scheduler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code goroutines}: every goroutine with its state, the reason it waits
 * for, and its stack. Goroutines with the same stack and state are shown once; {@code
 * ?grouped=false} shows each.
 */
@Endpoint(id = "goroutines")
public final class GoroutinesEndpoint {
  private final Scheduler scheduler;

  GoroutinesEndpoint(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Returns a dump.
   *
   * @param grouped whether goroutines with the same stack are shown once; null: they are
   * @return the dump
   */
  @ReadOperation(produces = "text/plain;charset=UTF-8")
  public String dump(@Nullable Boolean grouped) {
    return grouped == null || grouped ? scheduler.dumpGrouped() : scheduler.dump();
  }
}
