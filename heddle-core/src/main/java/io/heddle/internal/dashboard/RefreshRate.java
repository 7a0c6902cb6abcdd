package io.heddle.internal.dashboard;

/**
 * How often schedulers are looked at, and for how long a watcher may take nothing before it is dropped; in nanoseconds.
 */
record RefreshRate(long period, long patience) {
  /** Five looks a second: often enough to follow, and calm. */
  static final RefreshRate USUAL = new RefreshRate(200_000_000, 5_000_000_000L);
}
