package io.heddle;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.sched.Sched;

/**
 * The goroutine of a task that gives its place at a gate back by itself, unless it is collected
 * while it waits.
 */
final class GatedTaskGoroutine extends LiveGoroutine {
  private final Gate gate;

  GatedTaskGoroutine(Sched sched, Task task, Runnable users, Gate gate) {
    super(sched, null, task, Sched.current(), CreationSite.of(users));
    this.gate = gate;
  }

  @Override
  public Runnable whenCollected() {
    return gate::leave;
  }
}
