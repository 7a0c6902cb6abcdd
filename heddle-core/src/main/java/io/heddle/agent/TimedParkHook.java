package io.heddle.agent;

import io.heddle.internal.jdk.TimedParkPatch;
import io.heddle.internal.wait.TimedPark;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes the timers of the scheduler wake goroutines that park for a limited time through the JDK.
 */
final class TimedParkHook implements TimedParkPatch.Timers {
  /**
   * Set by the first call of begin. The agent may start twice, but must patch the JDK only once.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private TimedParkHook() {}

  static void begin(Instrumentation instrumentation) throws ReflectiveOperationException {
    if (BEGUN.compareAndSet(false, true)) {
      TimedParkPatch.open(instrumentation, new TimedParkHook());
    }
  }

  @Override
  public @Nullable Future<?> schedule(
      Executor executor, Runnable command, long delay, TimeUnit unit) {
    return TimedPark.schedule(executor, command, delay, unit);
  }
}
