package io.heddle.internal.jdk;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * The numbers in the field {@code state} of {@code java.lang.VirtualThread} in JDK 25 to 28, and
 * the questions that Heddle asks of such a number.
 */
final class StateWord {
  /*
   * The constants have the names that they have in the JDK. verify() compares each with the JDK's
   * constant, so that a JDK that numbers its states otherwise is refused at start-up.
   *
   * java.lang.HeddleMount does not use these constants, because a class of java.base cannot see
   * StateWord. It reads the numbers from VirtualThread.
   */
  static final int NEW = 0;
  static final int STARTED = 1;
  static final int PARKED = 4;
  static final int PINNED = 5;
  static final int TIMED_PARKED = 7;
  static final int TIMED_PINNED = 8;
  static final int UNPARKED = 9;
  static final int YIELDED = 11;
  static final int BLOCKED = 13;
  static final int UNBLOCKED = 14;

  /** In Object.wait without a time limit. */
  static final int WAIT = 16;

  /** In Object.wait with a time limit. */
  static final int TIMED_WAIT = 18;

  static final int TERMINATED = 99;

  /**
   * A flag that is added to the number of a state: the thread is held unmounted while another
   * thread reads its stack. JDK 27 and later do not use it (JDK-8376568).
   */
  static final int SUSPENDED = 1 << 8;

  private StateWord() {}

  /**
   * Compares the constants of this class with those of {@code type}.
   *
   * @throws NoSuchFieldException if a constant other than SUSPENDED is missing, or if one has
   *     another value
   */
  static void verify(Class<?> type) throws NoSuchFieldException {
    verify(type, "NEW", NEW);
    verify(type, "STARTED", STARTED);
    verify(type, "PARKED", PARKED);
    verify(type, "PINNED", PINNED);
    verify(type, "TIMED_PARKED", TIMED_PARKED);
    verify(type, "TIMED_PINNED", TIMED_PINNED);
    verify(type, "UNPARKED", UNPARKED);
    verify(type, "YIELDED", YIELDED);
    verify(type, "BLOCKED", BLOCKED);
    verify(type, "UNBLOCKED", UNBLOCKED);
    verify(type, "WAIT", WAIT);
    verify(type, "TIMED_WAIT", TIMED_WAIT);
    verify(type, "TERMINATED", TERMINATED);
    if (hasSuspended(type)) {
      verify(type, "SUSPENDED", SUSPENDED);
    }
  }

  private static void verify(Class<?> type, String name, int ours) throws NoSuchFieldException {
    Field theirs = type.getDeclaredField(name);
    Unsafe unsafe = Unsafe.getUnsafe();
    unsafe.ensureClassInitialized(type);
    int value =
        theirs.getType() == int.class && Modifier.isStatic(theirs.getModifiers())
            ? unsafe.getInt(unsafe.staticFieldBase(theirs), unsafe.staticFieldOffset(theirs))
            : -1;
    if (value != ours) {
      throw new NoSuchFieldException(type.getName() + "." + name + " is " + value);
    }
  }

  private static boolean hasSuspended(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().equals("SUSPENDED")) {
        return true;
      }
    }
    return false;
  }

  /** Returns {@code word} without the flag {@link #SUSPENDED}. */
  static int withoutSuspended(int word) {
    return word & ~SUSPENDED;
  }

  static boolean isSuspended(int word) {
    return (word & SUSPENDED) != 0;
  }

  /**
   * Whether a run would continue the thread: it was started, unparked or unblocked, or yielded, and
   * is not suspended.
   */
  static boolean isRunnable(int word) {
    return switch (word) {
      case STARTED, UNPARKED, YIELDED, UNBLOCKED -> true;
      default -> false;
    };
  }

  /** Whether the thread is unmounted and parked, blocked or waiting, and not suspended. */
  static boolean isWaiting(int word) {
    return switch (word) {
      case PARKED, TIMED_PARKED, BLOCKED, WAIT, TIMED_WAIT -> true;
      default -> false;
    };
  }

  /** Whether the thread is parked or waits for a notify, in either case with a time limit. */
  static boolean isTimedWaiting(int word) {
    return switch (withoutSuspended(word)) {
      case TIMED_PARKED, TIMED_PINNED, TIMED_WAIT -> true;
      default -> false;
    };
  }

  /**
   * Whether the thread is at a monitor: blocked, unblocked but not yet continued, or waiting for a
   * notify.
   */
  static boolean isAtMonitor(int word) {
    return switch (withoutSuspended(word)) {
      case BLOCKED, UNBLOCKED, WAIT, TIMED_WAIT -> true;
      default -> false;
    };
  }
}
