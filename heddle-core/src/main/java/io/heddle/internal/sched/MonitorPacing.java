package io.heddle.internal.sched;

/**
 * Decides how long the monitor pauses between two looks, when it may sleep until it is woken, and
 * when it must look for deadlocks (rule S1).
 */
final class MonitorPacing {
  /*
   * look was                            pause to the next
   * it acted on something               MIN_PAUSE_NANOS
   * busy, at most EAGER_LOOKS in a row  as before
   * busy, more looks in a row           doubled, up to half a slice
   * quiet                               doubled, up to half a slice
   *
   * Differences from Go: the monitor does not sleep at the first sight of nothing but idle Ps.
   * Those of a server are idle every now and then; each M that took one again would have to wake
   * the monitor, which would begin anew with a look every 20 µs. Instead it looks half as often
   * each time, and sleeps after MAX_QUIET_LOOKS (docs/decisions, 24). It looks at least twice per
   * slice.
   *
   * Checked by: MonitorPacingTest.
   */

  /** Go's shortest pause. */
  static final long MIN_PAUSE_NANOS = 20_000;

  /** Go's longest pause. */
  static final long MAX_PAUSE_NANOS = 10_000_000;

  /**
   * Go's number of looks without anything to do before the pause is doubled each time: 1 ms in all.
   */
  static final int EAGER_LOOKS = 50;

  /**
   * Quiet looks in a row before the monitor sleeps until it is woken: about 50 ms, if a slice is
   * 10.
   */
  static final int MAX_QUIET_LOOKS = 17;

  /** Quiet looks in a row before the first look for deadlocks; then every second time as many. */
  static final int QUIET_LOOKS_TO_CHECK = 3;

  private final long maxPause;
  private long pause = MIN_PAUSE_NANOS;
  private int idleLooks;
  private int quietLooks;

  MonitorPacing(long timeSlice) {
    maxPause = Math.clamp(timeSlice / 2, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  /** Returns how long to pause before the next look. */
  long pauseNanos() {
    return pause;
  }

  /**
   * Whether there has been nothing to watch for so long that the monitor may sleep until it is
   * woken.
   */
  boolean maySleep() {
    return quietLooks >= MAX_QUIET_LOOKS;
  }

  /**
   * Whether the last look is one after which to look for deadlocks: also if something always moves
   * before the monitor sleeps.
   */
  boolean mustCheckDeadlock() {
    return quietLooks % (2 * QUIET_LOOKS_TO_CHECK) == QUIET_LOOKS_TO_CHECK;
  }

  /**
   * Takes note of a look.
   *
   * @param acted whether the monitor had to do something
   * @param busy whether there is something to watch: a P is in use, or work waits
   */
  void looked(boolean acted, boolean busy) {
    quietLooks = busy ? 0 : quietLooks + 1;
    idleLooks = acted ? 0 : idleLooks + 1;
    if (acted) {
      pause = MIN_PAUSE_NANOS;
    } else if (quietLooks > 0 || idleLooks > EAGER_LOOKS) {
      pause = Math.min(2 * pause, maxPause);
    }
  }

  /**
   * Takes note of an error during a look: it must not be repeated at once, nor at all if there is
   * nothing to watch.
   */
  void failed() {
    quietLooks = MAX_QUIET_LOOKS;
  }

  /** Begins anew, because the monitor was woken. */
  void restart() {
    quietLooks = 0;
    idleLooks = 0;
    pause = MIN_PAUSE_NANOS;
  }
}
