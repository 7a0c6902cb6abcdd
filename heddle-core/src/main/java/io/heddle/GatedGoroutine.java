package io.heddle;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.sched.Sched;

/**
 * A goroutine that the agent has adopted under a limit. The goroutine has a place at a
 * {@link Gate}. It gives the place back when it ends, or when it is collected while it waits.
 */
final class GatedGoroutine extends LiveGoroutine {
  private final Gate gate;

  GatedGoroutine(Sched sched, Thread thread, Gate gate) {
    super(sched, thread);
    this.gate = gate;
  }

  @Override
  protected void ended() {
    gate.leave();
  }

  @Override
  public Runnable whenCollected() {
    return gate::leave;
  }
}
