package io.heddle.internal.sched;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Time and random seeds for the calling thread: the driver's in a driven scheduler, else the JDK's.
 */
public final class SchedClock {
  private SchedClock() {}

  /** Returns the time as {@link System#nanoTime} would tell it. */
  public static long nanoTime() {
    Driver driver = SchedulingPoint.driverOfCaller();
    return driver == null ? System.nanoTime() : driver.now();
  }

  /** Returns the time as {@link Instant#now} would tell it. */
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
