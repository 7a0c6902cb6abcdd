package io.heddle.internal.part;

import io.heddle.internal.jdk.YieldPoint;

/**
 * One monitor's use of the flag that makes woven code check whether to yield (rule S6, {@code
 * Preempt}). The monitors of all schedulers share that flag: it is up as long as at least one of
 * them wants it up.
 */
public final class YieldFlag {
  // Whether this monitor has raised the flag. Used by the monitor's thread alone.
  private boolean isUp;

  /** Whether the agent may have woven checks into code; otherwise the flag has no effect. */
  public static boolean isPossible() {
    return YieldPoint.isOpen();
  }

  /** Raises the flag for this monitor, or withdraws what this monitor has raised. */
  public void set(boolean wanted) {
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
