package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * The points at which a {@link Driver}, the deterministic test driver, may switch goroutines. There
 * is one before each operation that other goroutines can observe.
 *
 * <p>As long as no driver exists in the process, a scheduling point costs one read of a plain
 * static field.
 */
public final class SchedulingPoint {
  /**
   * Whether a driver may exist in this process; once true, it stays true. The field can be plain,
   * because it is written before the first M of a scheduler with a driver is started. The start of
   * a thread orders the write before all that the thread reads.
   */
  private static boolean areActive;

  private SchedulingPoint() {}

  /**
   * Makes scheduling points look for a driver. Must be called before the first scheduler with a
   * driver is made, because the Ms of that scheduler read the plain field {@code areActive}.
   */
  public static synchronized void activate() {
    areActive = true;
  }

  /**
   * Lets the driver of the calling goroutine, if it has one, run another goroutine. The caller must
   * hold no lock, because the other goroutine might need it.
   */
  public static void reached() {
    if (areActive) {
      Driver driver = driverOfCaller();
      if (driver != null) {
        driver.yieldPoint();
      }
    }
  }

  /**
   * Returns the driver of the calling goroutine's scheduler; null if it has none, or the caller is
   * no goroutine.
   */
  public static @Nullable Driver driverOfCaller() {
    G g = areActive ? Sched.current() : null;
    return g == null ? null : g.sched.driver;
  }
}
