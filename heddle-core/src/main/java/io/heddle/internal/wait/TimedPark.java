package io.heddle.internal.wait;

import io.heddle.internal.sched.G;
import io.heddle.internal.timer.Deadline;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of a goroutine's {@code Thread.sleep}, timed park or timed {@code Object.wait}, as
 * a timer of its scheduler (rule T1).
 */
public final class TimedPark extends Deadline implements Future<Void> {
  /*
   * The JDK arms this timer on the M that the goroutine has just stepped off, and cancels it on the
   * M that is about to run the goroutine again. When the timer fires, it runs the JDK's command,
   * which checks by itself whether it comes too late.
   */
  private final Runnable command;

  private TimedPark(Runnable command) {
    this.command = command;
  }

  /**
   * Runs the JDK's {@code command} after {@code delay}. Returns null if {@code executor} is no
   * goroutine, or if there is no memory: then the JDK must use its own timer.
   */
  public static @Nullable Future<?> schedule(
      Executor executor, Runnable command, long delay, TimeUnit unit) {
    if (!(executor instanceof G g)) {
      return null;
    }
    try {
      TimedPark park = new TimedPark(command);
      boolean _ = park.arm(g.sched().timersOfCaller(), g.sched().timeAfter(unit.toNanos(delay)), 0);
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
