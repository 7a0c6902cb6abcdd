package io.heddle.internal.sched;

import io.heddle.internal.jdk.YieldPoint;

/**
 * One monitor's part in the flag that makes woven code ask whether to yield (rule S6): see {@link
 * Preempt}.
 */
final class YieldFlag {
  // Whether this monitor has raised the flag. Used by the monitor's thread alone.
  private boolean isUp;

  /** Whether any code is woven, so that asking makes sense. */
  static boolean isPossible() {
    return YieldPoint.isOpen();
  }

  /** Makes woven code ask from now on, or withdraws this monitor's request for that. */
  void set(boolean wanted) {
    if (wanted == isUp) {
      return;
    }
    if (wanted) {
      isUp = YieldPoint.raise();
    } else {
      isUp = false;
      YieldPoint.lower();
    }
  }
}
