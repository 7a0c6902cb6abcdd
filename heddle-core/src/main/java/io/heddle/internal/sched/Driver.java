package io.heddle.internal.sched;

import java.time.Instant;

/**
 * Takes the place of the loop, of the choice of the next goroutine and of the clock: the port of the deterministic test
 * driver.
 *
 * <p>A scheduler in production has none. A scheduler that has one runs a single M, which owns no P.
 */
public interface Driver {
  /** Returns the loop that the M of {@code sched} runs. */
  ScheduleLoop loopOf(Sched sched);

  /** Returns what takes goroutines of {@code sched} that have become runnable. */
  Ready readyOf(Sched sched);

  /** Returns the time in nanoseconds, on the scale of {@link io.heddle.internal.base.Clock#now}. */
  long now();

  /** Returns date and time. */
  Instant instant();

  /** Returns a number to seed a generator with, which the driver's own seed decides. */
  long nextSeed();

  /** Called after a timer was armed that is due before all others. */
  void timerArmed();

  /** Called by a goroutine at a scheduling point: the driver may let another one run first. */
  void yieldPoint();
}
