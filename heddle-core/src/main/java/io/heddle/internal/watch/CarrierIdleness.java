package io.heddle.internal.watch;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds out which carriers use no CPU time although they run Java code as far as the JVM knows:
 * they are blocked in foreign code. Used by one thread.
 */
final class CarrierIdleness {
  /*
   * A carrier that computes may stand still, too. If the container has used up its CPU quota, the
   * whole process stops, for at most 100 ms at a time: then there are no looks meanwhile, and at
   * most one look finds the old value. On a busy machine the carrier waits for a CPU while the
   * watch gets one, because a thread that wakes comes first: but not for long. Therefore both are
   * required, a time and a number of looks.
   */
  private static final long IDLE_NANOS = 50_000_000;

  private static final int IDLE_LOOKS = 3;

  private final Map<Long, CpuReading> readings = new HashMap<>();

  /** The CPU time that a carrier has used, when a look first found it, and how many looks did. */
  private record CpuReading(long used, long since, int looks) {}

  /**
   * Takes the result of a look at {@code carrier}, and returns whether it is blocked.
   *
   * @param used the CPU time that it has used; negative if that is not known
   */
  boolean isBlocked(long carrier, long used, long now) {
    CpuReading last = readings.get(carrier);
    CpuReading reading =
        last != null && last.used == used
            ? new CpuReading(used, last.since, last.looks + 1)
            : new CpuReading(used, now, 1);
    readings.put(carrier, reading);
    return used >= 0 && reading.looks > IDLE_LOOKS && now - reading.since > IDLE_NANOS;
  }
}
