package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Receives reports from a scheduler, for observers such as the deadlock detector.
 *
 * <p>All methods but {@link #onMAsleep} and {@link #onClose} are called on the thread of the
 * monitor ({@link Sysmon}). No method but {@link #onClose} may block, because the caller is needed
 * for scheduling.
 */
public interface MonitorListener {
  /** A listener that ignores every report. */
  MonitorListener NONE = new MonitorListener() {};

  /** Called at time {@code now}, after the monitor has looked at all Ps. */
  default void onLook(long now) {}

  /**
   * Called after the monitor has taken a P from {@code m}, which ran {@code g}; null if the
   * goroutine is not known.
   */
  default void onRetake(HandOff.Reason reason, M m, @Nullable G g) {}

  /**
   * Called repeatedly while the scheduler seems to be at rest (no P in use, no work waiting), and
   * before the monitor falls asleep.
   */
  default void onQuiet() {}

  /**
   * Called when the monitor is about to sleep until it is woken, because all Ps are idle. If the
   * result is true, it sleeps for at most 50 ms, and then calls this method again if all Ps are
   * still idle.
   */
  default boolean onDoze() {
    return false;
  }

  /** Called by an M that has just been counted as asleep, if the monitor is asleep. */
  default void onMAsleep() {}

  /** Called at the end of each close of the scheduler, so perhaps more than once. */
  default void onClose() {}
}
