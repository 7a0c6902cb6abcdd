package io.heddle.internal.policy;

/**
 * Decides how long the monitor ({@code Sysmon}) pauses between two looks at all Ps, when it may
 * sleep until it is woken, and when it must look for deadlocks (rule S1).
 */
public final class MonitorPacing {
  /*
   * A look is busy if a P is in use, work waits, or a goroutine that computes without a P is asked
   * to yield. Otherwise the look is quiet.
   *
   * the last look                       pause before the next look
   * the monitor acted                   MIN_PAUSE_NANOS
   * busy, at most EAGER_LOOKS in a row  as before
   *   in which it did not act
   * busy, more such looks in a row      doubled, up to half a slice
   * quiet                               doubled, up to half a slice
   *
   * Differences from Go: Go's sysmon sleeps as soon as it sees only idle Ps. The Ps of a server are
   * idle every now and then. If the monitor slept each time, the next M that acquires a P would
   * have to wake it. The monitor would then begin anew with a look every 20 µs. Instead the monitor
   * doubles its pause after each quiet look, and sleeps after MAX_QUIET_LOOKS (docs/decisions, 24).
   * While awake, it looks at least twice per slice.
   *
   * Checked by: MonitorPacingTest.
   */

  /** The shortest pause between two looks of the monitor: Go's 20 µs. */
  public static final long MIN_PAUSE_NANOS = 20_000;

  /** The longest pause between two looks of the monitor: Go's 10 ms. */
  public static final long MAX_PAUSE_NANOS = 10_000_000;

  /**
   * How many looks in a row the monitor takes without acting before it doubles the pause each time.
   * Go's number: 50 pauses of 20 µs are 1 ms in all.
   */
  public static final int EAGER_LOOKS = 50;

  /**
   * How many quiet looks in a row the monitor takes before it sleeps until it is woken: about 50 ms
   * in all if a slice lasts 10 ms.
   */
  public static final int MAX_QUIET_LOOKS = 17;

  /**
   * After this number of quiet looks in a row, the monitor first looks for deadlocks. It does so
   * again each time after twice this number of further quiet looks.
   */
  public static final int QUIET_LOOKS_TO_CHECK = 3;

  private final long maxPause;
  private long pause = MIN_PAUSE_NANOS;
  private int idleLooks;
  private int quietLooks;

  public MonitorPacing(long timeSlice) {
    maxPause = Math.clamp(timeSlice / 2, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  /** Returns how long to pause before the next look. */
  public long pauseNanos() {
    return pause;
  }

  /**
   * Whether the monitor may sleep until it is woken: after {@link #MAX_QUIET_LOOKS} quiet looks in
   * a row, or after an error ({@link #failed}).
   */
  public boolean maySleep() {
    return quietLooks >= MAX_QUIET_LOOKS;
  }

  /**
   * Whether the monitor must look for deadlocks after its last look. A check only before it sleeps
   * is not enough: if work arrives now and then, the monitor never sleeps.
   */
  public boolean mustCheckDeadlock() {
    return quietLooks % (2 * QUIET_LOOKS_TO_CHECK) == QUIET_LOOKS_TO_CHECK;
  }

  /**
   * Records the result of a look.
   *
   * @param acted whether the monitor had to do something: ask for a yield, retake a P, deliver
   *     events
   * @param busy whether there is something to watch: a P is in use, work waits, or a goroutine that
   *     computes without a P is asked to yield
   */
  public void looked(boolean acted, boolean busy) {
    quietLooks = busy ? 0 : quietLooks + 1;
    idleLooks = acted ? 0 : idleLooks + 1;
    if (acted) {
      pause = MIN_PAUSE_NANOS;
    } else if (quietLooks > 0 || idleLooks > EAGER_LOOKS) {
      pause = Math.min(2 * pause, maxPause);
    }
  }

  /**
   * Records an error during a look. From now on the monitor may sleep until it is woken. Otherwise,
   * with nothing to watch, it could repeat the look and the error forever.
   */
  public void failed() {
    quietLooks = MAX_QUIET_LOOKS;
  }

  /** Begins anew, because the monitor was woken. */
  public void restart() {
    quietLooks = 0;
    idleLooks = 0;
    pause = MIN_PAUSE_NANOS;
  }
}
