package io.heddle.cluster;

import io.heddle.Go;
import java.time.Instant;

/**
 * A moment by two clocks, from which a lease is measured. The monotonic clock of a machine may
 * stand still while the machine is suspended, and the wall clock may be set back. So the time
 * between two moments is the longer one of the two: a lease may end early by it, and never late.
 *
 * @param nanos by {@link Go#nanoTime}
 * @param wallNanos by {@link Go#now}, since 1970
 */
record LeaseTime(long nanos, long wallNanos) {
  private static final long NANOS = 1_000_000_000;

  /** Returns this moment. In a bubble, both clocks are that of the bubble. */
  static LeaseTime now() {
    Instant wall = Go.now();
    return new LeaseTime(Go.nanoTime(), wall.getEpochSecond() * NANOS + wall.getNano());
  }

  /** Returns how many nanoseconds lie between this moment and {@code later}. */
  long until(LeaseTime later) {
    return Math.max(later.nanos - nanos, later.wallNanos - wallNanos);
  }
}
