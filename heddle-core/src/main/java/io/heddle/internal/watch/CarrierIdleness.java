package io.heddle.internal.watch;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds the carriers that are blocked in foreign code. To the JVM they seem to run Java code, but
 * they use no CPU time. Used by one thread.
 */
final class CarrierIdleness {
  /*
   * In a look, the watch reads the CPU time of a carrier. A carrier counts as blocked if its CPU
   * time has not changed for a time and for a number of looks. Both are required, because a carrier
   * that computes may also stand still:
   * - If the container has used up its CPU quota, the whole process stops for up to 100 ms at a
   *   time. There are no looks meanwhile, so at most one look finds an unchanged CPU time.
   * - On a busy machine a carrier waits for a CPU while the watch gets one, because the operating
   *   system prefers a thread that has just woken. This does not last long.
   */
  private static final long IDLE_NANOS = 50_000_000;

  private static final int IDLE_LOOKS = 3;

  private final Map<Long, CpuReading> readings = new HashMap<>();

  /**
   * The result of the last looks at a carrier.
   *
   * @param used the CPU time in nanoseconds
   * @param since when a look first found this CPU time
   * @param looks the number of looks in a row that have found it
   */
  private record CpuReading(long used, long since, int looks) {}

  /**
   * Takes the result of a look at {@code carrier}, and returns whether the carrier is blocked.
   *
   * @param carrier the id of the carrier's thread
   * @param used the CPU time that the carrier has used; negative if it is not known, and then the
   *     result is false
   * @param now the time of the look
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
