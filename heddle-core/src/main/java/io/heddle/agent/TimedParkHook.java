package io.heddle.agent;

import io.heddle.internal.jdk.ClassChanges;
import io.heddle.internal.jdk.TimedParkPatch;
import io.heddle.internal.wait.TimedPark;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Lets the timers of the scheduler wake goroutines that park for a limited time in JDK code.
 * Without this class the JDK's timer threads would wake them.
 */
final class TimedParkHook implements TimedParkPatch.Timers {
  /**
   * Whether begin was called. The agent may start twice, but must patch the JDK only once.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private TimedParkHook() {}

  /** Patches the JDK's timed parks. Only the first call has an effect. */
  static void begin(ClassChanges classes) throws ReflectiveOperationException {
    if (BEGUN.compareAndSet(false, true)) {
      TimedParkPatch.open(classes, new TimedParkHook());
    }
  }

  @Override
  public @Nullable Future<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return TimedPark.schedule(command, delay, unit);
  }
}
