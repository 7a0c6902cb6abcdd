package io.heddle;

import io.heddle.internal.sched.Crank;
import io.heddle.internal.wait.Wait;
import java.util.concurrent.TimeUnit;

/** How long a thread waits, and whether an interrupt ends that. */
final class Patience {
  static final Patience UNINTERRUPTIBLE = new Patience(0);
  static final Patience INTERRUPTIBLE = new Patience(0);

  private final long end;

  private Patience(long end) {
    this.end = end;
  }

  /** From now on; an interrupt ends it, too. */
  static Patience of(long nanos) {
    // Times of nanoTime are compared by their difference, so a sum that overflows is as good as
    // any.
    return new Patience(Crank.nanoTime() + Math.max(0, nanos));
  }

  static Patience of(long time, TimeUnit unit) {
    return of(unit.toNanos(time));
  }

  /** Nanoseconds, of one that has an end. */
  long left() {
    return end - Crank.nanoTime();
  }

  /** Waits for the end of the round; false if this was over first, and {@code wait} is given up. */
  boolean await(Wait wait, long round) {
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
