package io.heddle.agent;

import io.heddle.internal.jdk.TimeDoor;
import io.heddle.internal.sched.TimedPark;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Has goroutines that park for a limited time, in the JDK's ways, woken by their scheduler's timers. */
final class TimedWaits implements TimeDoor.Timers {
  /** The agent may be asked for twice. */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private TimedWaits() {}

  static void begin(Instrumentation instrumentation) throws ReflectiveOperationException {
    if (BEGUN.compareAndSet(false, true)) {
      TimeDoor.open(instrumentation, new TimedWaits());
    }
  }

  @Override
  public @Nullable Future<?> schedule(
      Executor executor, Runnable command, long delay, TimeUnit unit) {
    return TimedPark.schedule(executor, command, delay, unit);
  }
}
