package io.heddle.internal.sched;

import io.heddle.internal.jdk.ThreadState;
import java.util.Locale;

/** The states of a goroutine that a user sees (rule G1). */
public enum GoroutineState {
  NEW,
  RUNNABLE,
  RUNNING,
  WAITING,
  SYSCALL,
  DEAD;

  /** For a goroutine that is on no queue and not known to be dead. */
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

  /** As Go writes it in a dump. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
