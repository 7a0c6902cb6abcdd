package io.heddle.internal.part;

import io.heddle.internal.jdk.YieldPoint;

/**
 * What one monitor ({@code Sysmon}) wants of the flag that makes woven code check whether to yield
 * (rule S6, {@code Preempt}). The monitors of all schedulers share that flag: it is up as long as
 * at least one monitor wants it up.
 */
public final class YieldFlag {
  // Whether this monitor has raised the flag. Used by the monitor's thread alone.
  private boolean isUp;

  /** Whether the agent may have woven checks into code; otherwise the flag has no effect. */
  public static boolean isPossible() {
    return YieldPoint.isOpen();
  }

  /**
   * Sets whether this monitor wants the flag up. The flag goes down when no monitor wants it up any
   * more. Called by the monitor.
   */
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
