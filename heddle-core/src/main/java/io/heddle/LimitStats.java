package io.heddle;

import io.heddle.internal.admit.GateCounts;

/**
 * What happened at the {@linkplain Limit limits} with one name in one scheduler: see
 * {@link Scheduler#limits}. The figures are read one after the other while goroutines run.
 *
 * @param name the name of the limits
 * @param max how many goroutines the limits admit at a time: the sum over the executors that are
 *     open
 * @param running the number of admitted goroutines that have not ended
 * @param waiting the number of threads that wait at a limit to start a goroutine
 * @param started how many goroutines were admitted and started
 * @param waited how many submissions had to wait, whatever their result
 * @param rejected how many submissions were refused, or failed to start a goroutine
 * @param ranInCaller how many tasks a submitter ran itself
 */
public record LimitStats(
    String name,
    long max,
    long running,
    long waiting,
    long started,
    long waited,
    long rejected,
    long ranInCaller) {

  static LimitStats of(GateCounts counts) {
    return new LimitStats(
        counts.name(),
        counts.max(),
        counts.running(),
        counts.waiting(),
        counts.admitted(),
        counts.waited(),
        counts.rejected(),
        counts.inCaller());
  }

  /** Returns the sums of the figures of this object and {@code other}, with this object's name. */
  LimitStats plus(LimitStats other) {
    return new LimitStats(
        name,
        max + other.max,
        running + other.running,
        waiting + other.waiting,
        started + other.started,
        waited + other.waited,
        rejected + other.rejected,
        ranInCaller + other.ranInCaller);
  }
}
