package io.heddle.internal.jdk;

/** What a virtual thread is doing, as the JDK's {@linkplain StateWord state word} tells. */
public enum ThreadState {
  NEW,
  /** Started, yielded, unparked or unblocked: the thread waits for a carrier. */
  RUNNABLE,
  /** Mounted and not {@link #PINNED}, or about to mount or unmount. */
  RUNNING,
  PARKED,
  TIMED_PARKED,
  /**
   * Parked together with its carrier, because it cannot unmount: a native frame is on its stack,
   * for instance.
   */
  PINNED,
  /** Blocked at the entry of a {@code synchronized} block. */
  MONITOR_ENTER,
  OBJECT_WAIT,
  TERMINATED;

  static ThreadState of(int word) {
    return switch (StateWord.withoutSuspended(word)) {
      case StateWord.NEW -> NEW;
      case StateWord.STARTED, StateWord.UNPARKED, StateWord.YIELDED, StateWord.UNBLOCKED ->
          RUNNABLE;
      case StateWord.PARKED -> PARKED;
      case StateWord.TIMED_PARKED -> TIMED_PARKED;
      case StateWord.PINNED, StateWord.TIMED_PINNED -> PINNED;
      case StateWord.BLOCKED -> MONITOR_ENTER;
      case StateWord.WAIT, StateWord.TIMED_WAIT -> OBJECT_WAIT;
      case StateWord.TERMINATED -> TERMINATED;
      default -> RUNNING;
    };
  }

  /** Whether the thread waits for an event: a wake-up, a monitor or the end of a time limit. */
  public boolean isWaiting() {
    return switch (this) {
      case PARKED, TIMED_PARKED, PINNED, MONITOR_ENTER, OBJECT_WAIT -> true;
      default -> false;
    };
  }
}
