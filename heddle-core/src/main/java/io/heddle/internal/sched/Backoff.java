package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;

/** Waiting for something that another thread does in a moment, and that nobody will announce. */
final class Backoff {
  /** About a microsecond of spinning before the core is offered to others. */
  private static final int SPINS = 64;

  private Backoff() {}

  /** To be called with 0, 1, 2, …; never parks, so that it takes no permit from a goroutine. */
  static void await(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else {
      VirtualThreads.osYield();
    }
  }
}
