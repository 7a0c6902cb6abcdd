package io.heddle.internal.sched;

import java.time.Instant;

/**
 * The interface that the deterministic test driver implements. The driver replaces the scheduling
 * loop of the M, the choice of the next goroutine, and the clock.
 *
 * <p>A scheduler in production has no driver. A scheduler with a driver runs a single M, which owns
 * no P.
 */
public interface Driver {
  /** Returns the loop that the M of {@code sched} runs. */
  ScheduleLoop loopOf(Sched sched);

  /** Returns the object that queues goroutines of {@code sched} that become runnable. */
  Ready readyOf(Sched sched);

  /** Returns the time in nanoseconds, on the scale of {@link io.heddle.internal.base.Clock#now}. */
  long now();

  /** Returns the current date and time by the driver's clock. */
  Instant instant();

  /** Returns a seed for a random number generator, derived from the driver's own seed. */
  long nextSeed();

  /** Called after a timer was set that is due before all others in its {@code TimerHeap}. */
  void timerArmed();

  /**
   * Called by a goroutine where the driver may switch: the driver may let another goroutine run
   * first.
   */
  void yieldPoint();
}
