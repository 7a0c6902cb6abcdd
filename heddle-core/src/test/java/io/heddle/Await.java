package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for a state that is not signalled, by polling. The {@link HangGuard} of the test interrupts
 * and so ends a wait that does not succeed.
 */
public final class Await {
  private Await() {}

  public static void until(BooleanSupplier holds) {
    until(holds::getAsBoolean, true);
  }

  /**
   * Waits until {@code actual} returns {@code expected}. If that never happens, the error reports
   * the last value.
   */
  public static <T> void until(Supplier<T> actual, T expected) {
    for (T now = actual.get(); !Objects.equals(now, expected); now = actual.get()) {
      if (Thread.interrupted()) {
        throw new AssertionError("waited for " + expected + ", and it was " + now);
      }
      VirtualThreads.osYield();
    }
  }

  /** Waits until the scheduler is at rest: every P idle, every M asleep. */
  static void idle(Scheduler scheduler) {
    until(() -> isIdle(scheduler.stats()));
  }

  private static boolean isIdle(Stats stats) {
    return stats.idleProcs() == stats.procs()
        && stats.idleThreads() == stats.threads()
        && stats.spinningThreads() == 0;
  }
}
