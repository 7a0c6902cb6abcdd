package io.heddle.internal.sched;

/** How an M sleeps while it is the timekeeper: see {@link Timekeeper}. */
final class KeeperSeat {
  /** Whether the M may use the scheduler's poller: see {@link NetPolling}. Its M's. */
  boolean mayPoll;

  /** Whether the M sleeps in the poller, not on its note. Written before it becomes the keeper; its waker reads it. */
  boolean inPoller;

  private volatile long until;

  /** Until when the M sleeps. Any thread. */
  long until() {
    return until;
  }

  void until(long when) {
    until = when;
  }
}
