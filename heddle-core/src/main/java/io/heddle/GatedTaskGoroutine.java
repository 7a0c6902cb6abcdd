package io.heddle;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.sched.Sched;

/**
 * A goroutine whose task has a place at a {@link Gate}. The task gives the place back when it ends.
 * If the goroutine is collected while it waits, the task never ends. Then the Runnable of {@link
 * #whenCollected} gives the place back.
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
