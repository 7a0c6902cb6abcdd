package io.heddle.faults;

import io.heddle.Scheduler;
import io.heddle.Stats;
import java.util.concurrent.locks.LockSupport;

/** Waits until no thread makes progress any more. */
final class Quiet {
  private Quiet() {}

  static void await(Scheduler scheduler) {
    while (!isQuiet(scheduler.stats())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static boolean isQuiet(Stats stats) {
    return stats.goroutines() == 0
        && stats.idleProcs() == stats.procs()
        && stats.idleThreads() == stats.threads()
        && stats.spinningThreads() == 0;
  }
}
