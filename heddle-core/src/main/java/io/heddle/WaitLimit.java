package io.heddle;

import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitState;
import java.util.concurrent.TimeUnit;

/** How long a thread waits at most, and whether an interrupt ends its wait. */
final class WaitLimit {
  static final WaitLimit UNINTERRUPTIBLE = new WaitLimit(0);
  static final WaitLimit INTERRUPTIBLE = new WaitLimit(0);

  private final long end;

  private WaitLimit(long end) {
    this.end = end;
  }

  /** A limit of {@code nanos} from now; an interrupt ends the wait, too. */
  static WaitLimit of(long nanos) {
    // Values of nanoTime are compared by their difference, so the sum may overflow.
    return new WaitLimit(SchedClock.nanoTime() + Math.max(0, nanos));
  }

  static WaitLimit of(long time, TimeUnit unit) {
    return of(unit.toNanos(time));
  }

  /** The nanoseconds left, of a limit in time. */
  long left() {
    return end - SchedClock.nanoTime();
  }

  /**
   * Waits for the end of the round. Returns false if the limit came first and {@code wait} was
   * given up.
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
   * Throws, and clears the interrupt flag, if the thread is interrupted. Called before a wait and
   * after an await that returned false.
   */
  static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
