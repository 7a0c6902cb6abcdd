package io.heddle;

import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.WaitState;
import java.util.concurrent.TimeUnit;

/** How long a thread waits, and whether an interrupt ends that. */
final class WaitLimit {
  static final WaitLimit UNINTERRUPTIBLE = new WaitLimit(0);
  static final WaitLimit INTERRUPTIBLE = new WaitLimit(0);

  private final long end;

  private WaitLimit(long end) {
    this.end = end;
  }

  /** From now on; an interrupt ends it, too. */
  static WaitLimit of(long nanos) {
    // Times of nanoTime are compared by their difference, so a sum that overflows is as good as
    // any.
    return new WaitLimit(SchedClock.nanoTime() + Math.max(0, nanos));
  }

  static WaitLimit of(long time, TimeUnit unit) {
    return of(unit.toNanos(time));
  }

  /** Nanoseconds, of one that has an end. */
  long left() {
    return end - SchedClock.nanoTime();
  }

  /** Waits for the end of the round; false if this was over first, and {@code wait} is given up. */
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

  /** Behind an await that was false: throws if it was an interrupt, which is over with that. */
  static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
