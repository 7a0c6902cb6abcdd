package io.heddle.internal.part;

/**
 * Where and until when an M sleeps while it is the timekeeper: the idle M that waits for the next
 * timer or ready socket. See {@code Timekeeper}.
 */
public final class KeeperSeat {
  /**
   * Whether the M may use the scheduler's poller; see {@code NetPolling.retain}. Used only by its
   * M, and by goroutines on that M.
   */
  public boolean mayPoll;

  /**
   * Whether the M sleeps in the poller instead of on its note. Written by the M before the
   * compare-and-set that makes it the timekeeper. Read by its waker after the compare-and-set by
   * which the waker takes the timekeeper.
   */
  public boolean inPoller;

  private volatile long until;

  /** Returns until when the M sleeps, on the scale of {@code Clock.now}. Callable by any thread. */
  public long until() {
    return until;
  }

  /** Sets until when the M will sleep. Called by its M, before it becomes the timekeeper. */
  public void until(long when) {
    until = when;
  }
}
