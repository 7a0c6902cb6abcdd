package io.heddle.internal.cgroup;

import org.jspecify.annotations.Nullable;

/** The limits of this process. They are read when a caller needs them, at most once a second. */
public final class Container {
  private static final long FRESH_NANOS = 1_000_000_000;

  /** {@link #throttledLatelyNanos} covers between one and two intervals of this length. */
  private static final long LATELY_NANOS = 5_000_000_000L;

  private static final CgroupReader READER = CgroupReader.ofThisProcess();

  /** The limits, and when they were read. */
  private record TimedLimits(long time, ContainerLimits limits) {
    long throttled() {
      return limits.throttledNanos().orElse(0);
    }
  }

  private static @Nullable TimedLimits latest; // guarded by this class
  private static @Nullable TimedLimits middle; // guarded by this class; at this interval's start
  private static @Nullable TimedLimits earlier; // guarded by this class; one interval before

  private Container() {}

  /** Returns the limits, which are at most a second old. */
  public static ContainerLimits limits() {
    return read().limits;
  }

  /**
   * Returns for how long the CPUs of this process stood still in about the last 5 to 10 seconds,
   * because a quota was used up. The result is the sum over the CPUs, in nanoseconds. Returns 0 at
   * the first call, and at a call after a pause of 10 seconds or more (sometimes 5).
   */
  public static synchronized long throttledLatelyNanos() {
    TimedLimits now = read();
    if (earlier == null || middle == null || now.time - middle.time >= 2 * LATELY_NANOS) {
      earlier = now; // the first call, or the first one after a long time
      middle = now;
    } else if (now.time - middle.time >= LATELY_NANOS) {
      earlier = middle;
      middle = now;
    }
    return now.throttled() - earlier.throttled();
  }

  private static synchronized TimedLimits read() {
    long now = System.nanoTime();
    if (latest == null || now - latest.time >= FRESH_NANOS) {
      latest = new TimedLimits(now, READER.read());
    }
    return latest;
  }
}
