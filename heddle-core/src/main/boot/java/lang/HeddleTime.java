package java.lang;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Schedules the wake-up of a virtual thread that parks or waits with a time limit.
 * io.heddle.internal.jdk.TimedParkPatch makes the JDK call this class.
 */
final class HeddleTime {
  // It is static final, so that the compilers inline through it.
  private static final MethodHandle SCHEDULE = ScheduleHandle.schedule;

  /** A handle of Heddle's method. Heddle writes it before the JDK uses {@link HeddleTime}. */
  static final class ScheduleHandle {
    static volatile MethodHandle schedule;

    private ScheduleHandle() {}
  }

  private HeddleTime() {}

  /** Schedules {@code command} with Heddle, or with {@code pool} if Heddle declines. */
  static Future<?> schedule(
      ScheduledExecutorService pool, Runnable command, long delay, TimeUnit unit) {
    Future<?> future;
    try {
      future = (Future<?>) SCHEDULE.invokeExact(command, delay, unit);
    } catch (Throwable t) {
      throw HeddleTime.<RuntimeException>unchecked(t);
    }
    return future == null ? pool.schedule(command, delay, unit) : future;
  }

  @SuppressWarnings("unchecked") // the cast does nothing at run time
  private static <T extends Throwable> T unchecked(Throwable t) throws T {
    throw (T) t;
  }
}
