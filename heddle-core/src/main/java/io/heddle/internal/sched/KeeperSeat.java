package io.heddle.internal.sched;

/** Where and until when an M sleeps while it is the timekeeper: see {@link Timekeeper}. */
final class KeeperSeat {
  /** Whether the M may use the scheduler's poller: see {@link NetPolling}. Used by its M alone. */
  boolean mayPoll;

  /**
   * Whether the M sleeps in the poller instead of on its note. The M writes it before it becomes
   * the keeper, by compare-and-set; its waker reads it after it has taken the keeper out of the
   * field.
   */
  boolean inPoller;

  private volatile long until;

  /** Returns until when the M sleeps. Callable by any thread. */
  long until() {
    return until;
  }

  void until(long when) {
    until = when;
  }
}
