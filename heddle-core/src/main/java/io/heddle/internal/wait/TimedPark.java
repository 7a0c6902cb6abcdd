package io.heddle.internal.wait;

import io.heddle.internal.sched.M;
import io.heddle.internal.timer.Deadline;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of a goroutine's {@code Thread.sleep}, timed park or timed {@code Object.wait}, as
 * a timer of its scheduler (rule T1).
 */
public final class TimedPark extends Deadline implements Future<Void> {
  /*
   * The JDK calls schedule on the M from which the goroutine has just unmounted, and cancel on the
   * M that is about to run the goroutine again. A timer that fires runs the JDK's command, which
   * wakes the goroutine. The timer may fire although the goroutine was woken in another way; the
   * command checks this itself.
   */
  private final Runnable command;

  private TimedPark(Runnable command) {
    this.command = command;
  }

  /**
   * Arms a timer that runs the JDK's {@code command} after {@code delay}. The JDK cancels the timer
   * through the result. Returns null if the caller is no M, or if there is no memory for the timer.
   * The JDK must then use its own timer.
   */
  public static @Nullable Future<?> schedule(Runnable command, long delay, TimeUnit unit) {
    M m = M.ofCaller();
    if (m == null) {
      return null;
    }
    try {
      TimedPark park = new TimedPark(command);
      boolean _ = park.arm(m.sched().timersOfCaller(), m.sched().timeAfter(unit.toNanos(delay)), 0);
      return park;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  @Override
  protected void fire(long generation) {
    command.run();
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return stop();
  }

  // The JDK calls only cancel. The other methods of Future are here because the JDK expects a
  // Future.

  @Override
  public boolean isCancelled() {
    return !isLive();
  }

  @Override
  public boolean isDone() {
    return !isLive();
  }

  @Override
  public Void get() {
    throw new UnsupportedOperationException("a timed park has no result");
  }

  @Override
  public Void get(long timeout, TimeUnit unit) {
    return get();
  }
}
