package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * The points at which a {@link Driver} may switch goroutines: before each operation that other
 * goroutines can observe.
 *
 * <p>As long as no driver exists in the process, a scheduling point is one read of a plain static
 * field.
 */
public final class SchedulingPoint {
  /**
   * Whether a driver may exist in this process; once true, it stays true. A plain field, because it
   * is written before the first M of a driven scheduler is started.
   */
  private static boolean areActive;

  private SchedulingPoint() {}

  /**
   * Makes scheduling points ask for a driver. Must be called before the first driven scheduler is
   * made.
   */
  public static synchronized void activate() {
    areActive = true;
  }

  /**
   * Lets the driver of the calling goroutine, if it has one, run another goroutine. Must be called
   * without a lock.
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
