package io.heddle;

import io.heddle.internal.admit.DelayGate;
import org.jspecify.annotations.Nullable;

/**
 * What the overload control of a scheduler has measured and decided: see {@link
 * Scheduler#overload}.
 *
 * @param targetNanos how long goroutines may wait for a P, in nanoseconds; 0 if the control is off
 * @param delayNanos how long goroutines wait for a P at present, in nanoseconds; 0 if the control
 *     is off, or if neither {@link Scheduler#tryAdmit} nor {@link Scheduler#admit} was called
 *     lately
 * @param admitted how often new work was admitted
 * @param shed how often new work was refused
 */
public record OverloadStats(long targetNanos, long delayNanos, long admitted, long shed) {
  static OverloadStats of(@Nullable DelayGate gate) {
    return gate == null
        ? new OverloadStats(0, 0, 0, 0)
        : new OverloadStats(gate.targetNanos(), gate.delayNanos(), gate.admitted(), gate.shed());
  }

  /**
   * Whether new work is refused at present.
   *
   * @return whether goroutines wait longer than the target
   */
  public boolean isShedding() {
    return delayNanos > targetNanos;
  }
}
