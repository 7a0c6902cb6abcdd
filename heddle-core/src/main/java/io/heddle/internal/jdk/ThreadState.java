package io.heddle.internal.jdk;

/** What a virtual thread is doing, as its JDK state word tells. */
public enum ThreadState {
  NEW,
  /** Started, yielded, unparked or unblocked: it waits for a carrier. */
  RUNNABLE,
  /** On a carrier, or just stepping on or off. */
  RUNNING,
  PARKED,
  TIMED_PARKED,
  /** Parked for real, with its carrier, because a native frame is on the stack. */
  PINNED,
  /** At the entry of a {@code synchronized} block. */
  MONITOR_ENTER,
  OBJECT_WAIT,
  TERMINATED;

  // The numbers of java.lang.VirtualThread in JDK 25.
  static final int NEW_STATE = 0;
  static final int STARTED_STATE = 1;
  static final int PARKED_STATE = 4;
  static final int UNPARKED_STATE = 9;
  static final int YIELDED_STATE = 11;
  static final int BLOCKED_STATE = 13;
  static final int UNBLOCKED_STATE = 14;
  static final int TERMINATED_STATE = 99;
  static final int SUSPENDED = 1 << 8;

  static ThreadState of(int state) {
    return switch (state & ~SUSPENDED) {
      case NEW_STATE -> NEW;
      case 1, UNPARKED_STATE, YIELDED_STATE, UNBLOCKED_STATE -> RUNNABLE;
      case PARKED_STATE -> PARKED;
      case 7 -> TIMED_PARKED;
      case 5, 8 -> PINNED;
      case BLOCKED_STATE -> MONITOR_ENTER;
      case 16, 18 -> OBJECT_WAIT;
      case TERMINATED_STATE -> TERMINATED;
      default -> RUNNING;
    };
  }

  /** RUNNABLE, and not suspended. */
  static boolean canGoOn(int state) {
    return switch (state) {
      case 1, 9, YIELDED_STATE, 14 -> true;
      default -> false;
    };
  }

  /** Blocked at a monitor, or made runnable from there, or waiting for a notify. */
  static boolean isAtMonitor(int state) {
    return switch (state) {
      case BLOCKED_STATE, UNBLOCKED_STATE, 16, 18 -> true;
      default -> false;
    };
  }

  /** Parked or waiting for a limited time. */
  static boolean isInTime(int state) {
    return state == 7 || state == 8 || state == 18;
  }

  /** Parked, blocked or waiting, and not suspended. */
  static boolean isAtRest(int state) {
    return switch (state) {
      case 4, 7, 13, 16, 18 -> true;
      default -> false;
    };
  }

  /** Whether something must happen before it can go on. */
  public boolean isWaiting() {
    return switch (this) {
      case PARKED, TIMED_PARKED, PINNED, MONITOR_ENTER, OBJECT_WAIT -> true;
      default -> false;
    };
  }
}
