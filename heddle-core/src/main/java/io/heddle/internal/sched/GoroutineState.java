package io.heddle.internal.sched;

import io.heddle.internal.jdk.ThreadState;
import java.util.Locale;

/**
 * The states of a goroutine that a user sees (rule G1).
 *
 * <p>No field stores them. {@link G#goroutineState} derives them from two sources. The status word
 * of the G is authoritative for queues and Ms. The state of its virtual thread is authoritative for
 * parking, because the JDK does not tell the executor that it parks a thread. {@code ThreadState}
 * gives the JDK's numbers names; {@code Goroutine.State} is this enum for users.
 */
public enum GoroutineState {
  NEW,
  RUNNABLE,
  RUNNING,
  WAITING,
  SYSCALL,
  DEAD;

  /**
   * Derives the state from {@code phase}, the state of the goroutine's virtual thread. Called only
   * for a goroutine whose status word says neither that it is on a queue nor that it is dead.
   */
  static GoroutineState of(ThreadState phase) {
    if (phase.isWaiting()) {
      return WAITING;
    }
    return switch (phase) {
      case TERMINATED -> DEAD;
      case RUNNABLE -> RUNNABLE;
      default -> RUNNING;
    };
  }

  /** Returns the state as Go writes it in a dump. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
