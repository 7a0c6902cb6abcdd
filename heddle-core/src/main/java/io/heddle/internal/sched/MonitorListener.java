package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Observes a scheduler: the port through which the machine reaches what inspects it.
 *
 * <p>All but {@link #onMAsleep} and {@link #onClose} are called on the monitor's thread. None of them may block.
 */
public interface MonitorListener {
  /** Ignores everything. */
  MonitorListener NONE = new MonitorListener() {};

  /** Called after the monitor has looked at all Ps. */
  default void onLook(long now) {}

  /** Called after the monitor has taken a P from {@code m}, which ran {@code g}. */
  default void onRetake(HandOff.Reason reason, M m, @Nullable G g) {}

  /** Called when the scheduler seems to be at rest: repeatedly, and once before the monitor sleeps until it is woken. */
  default void onQuiet() {}

  /** Called by an M that counts as asleep from now on, while the monitor sleeps. */
  default void onMAsleep() {}

  /** Called when the scheduler has been closed. */
  default void onClose() {}
}
