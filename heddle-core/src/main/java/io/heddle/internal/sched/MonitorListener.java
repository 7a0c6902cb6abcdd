package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * The port through which the machine reports to its observers.
 *
 * <p>All but {@link #onMAsleep} and {@link #onClose} are called on the monitor's thread. None of
 * them may block.
 */
public interface MonitorListener {
  /** A listener that ignores every report. */
  MonitorListener NONE = new MonitorListener() {};

  /** Called after the monitor has looked at all Ps. */
  default void onLook(long now) {}

  /** Called after the monitor has taken a P from {@code m}, which ran {@code g}. */
  default void onRetake(HandOff.Reason reason, M m, @Nullable G g) {}

  /**
   * Called repeatedly while the scheduler seems to be at rest, and before the monitor falls asleep.
   */
  default void onQuiet() {}

  /** Called by an M that has just been counted as asleep, if the monitor is asleep. */
  default void onMAsleep() {}

  /** Called when the scheduler has been closed. */
  default void onClose() {}
}
