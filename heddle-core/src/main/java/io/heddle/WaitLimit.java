package io.heddle;

import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitState;
import java.util.concurrent.TimeUnit;

/**
 * How long a thread waits at most, and whether an interrupt ends its wait. The two constants have
 * no time limit.
 */
final class WaitLimit {
  static final WaitLimit UNINTERRUPTIBLE = new WaitLimit(0);
  static final WaitLimit INTERRUPTIBLE = new WaitLimit(0);

  /**
   * When the time limit ends, in the time of {@link SchedClock#nanoTime}. The constants do not use
   * this field.
   */
  private final long end;

  private WaitLimit(long end) {
    this.end = end;
  }

  /** Makes a time limit of {@code nanos} from now. An interrupt also ends the wait. */
  static WaitLimit of(long nanos) {
    // The sum may overflow, because left() only uses its difference to another time.
    return new WaitLimit(SchedClock.nanoTime() + Math.max(0, nanos));
  }

  /** Makes a time limit of {@code time} from now. An interrupt also ends the wait. */
  static WaitLimit of(long time, TimeUnit unit) {
    return of(unit.toNanos(time));
  }

  /**
   * Returns the nanoseconds until the time limit ends, 0 or less after it. Not for the constants.
   */
  long left() {
    return end - SchedClock.nanoTime();
  }

  /**
   * Waits until an event ends {@code round}, the present wait of {@code wait}, and returns true.
   * Returns false if the time limit or an interrupt came first; a later event then has no effect on
   * this wait. After an interrupt the caller's interrupt flag is set.
   */
  boolean await(WaitState wait, long round) {
    if (this == UNINTERRUPTIBLE) {
      wait.awaitUninterruptibly(round);
      return true;
    }
    if (this == INTERRUPTIBLE) {
      if (wait.await(round)) {
        return true;
      }
      Thread.currentThread().interrupt();
      return false;
    }
    return wait.await(round, left());
  }

  /**
   * If the calling thread is interrupted, clears its interrupt flag and throws. Called before an
   * interruptible wait, and after an {@link #await} that returned false.
   */
  static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
