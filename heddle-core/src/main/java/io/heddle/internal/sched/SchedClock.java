package io.heddle.internal.sched;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Gives the calling thread the time and random seeds. A goroutine of a scheduler with a {@link
 * Driver} gets them from the driver, every other thread from the JDK.
 */
public final class SchedClock {
  private SchedClock() {}

  /** Returns a time like {@link System#nanoTime}, for the measurement of durations. */
  public static long nanoTime() {
    Driver driver = SchedulingPoint.driverOfCaller();
    return driver == null ? System.nanoTime() : driver.now();
  }

  /** Returns date and time, like {@link Instant#now}. */
  public static Instant instant() {
    Driver driver = SchedulingPoint.driverOfCaller();
    return driver == null ? Instant.now() : driver.instant();
  }

  /** Returns a seed for a random number generator. */
  public static long anySeed() {
    Driver driver = SchedulingPoint.driverOfCaller();
    return driver == null ? ThreadLocalRandom.current().nextLong() : driver.nextSeed();
  }
}
