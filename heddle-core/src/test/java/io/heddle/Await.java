package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what nobody announces, by looking again and again. A wait in vain ends with the {@link HangGuard} of the
 * test, which interrupts it.
 */
public final class Await {
  private Await() {}

  public static void until(BooleanSupplier holds) {
    until(holds::getAsBoolean, true);
  }

  /** Waits until {@code actual} is {@code expected}; if that never comes, says what it was instead. */
  public static <T> void until(Supplier<T> actual, T expected) {
    for (T now = actual.get(); !Objects.equals(now, expected); now = actual.get()) {
      if (Thread.interrupted()) {
        throw new AssertionError("waited for " + expected + ", and it was " + now);
      }
      VirtualThreads.osYield();
    }
  }

  /** Waits until nothing moves: every P idle, every M asleep. */
  static void idle(Scheduler scheduler) {
    until(() -> isIdle(scheduler.stats()));
  }

  private static boolean isIdle(Stats stats) {
    return stats.idleProcs() == stats.procs()
        && stats.idleThreads() == stats.threads()
        && stats.spinningThreads() == 0;
  }
}
