package io.heddle.internal.dashboard;

/**
 * The timing of the event streams, in nanoseconds.
 *
 * @param period the time from one sample to the next
 * @param patience how long a write to a client may take before its stream is closed
 */
record RefreshRate(long period, long patience) {
  /** Five samples per second. */
  static final RefreshRate USUAL = new RefreshRate(200_000_000, 5_000_000_000L);
}
