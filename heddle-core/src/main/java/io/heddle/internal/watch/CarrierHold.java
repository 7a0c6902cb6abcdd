package io.heddle.internal.watch;

import io.heddle.internal.jdk.JdkCarriers;
import java.util.List;

/**
 * How a virtual thread holds its carrier at a moment, and where.
 *
 * @param kind what keeps the thread on the carrier
 * @param place the innermost frame of the stack that does not belong to the JDK; the innermost
 *     frame if all belong to it
 * @param stack the stack, the innermost frame first
 * @param thread the name of the virtual thread
 */
record CarrierHold(HoldKind kind, String place, List<StackTraceElement> stack, String thread) {
  /** What keeps the virtual thread on its carrier. */
  enum HoldKind {
    /** Java code runs. */
    COMPUTING("computing"),
    /**
     * The thread waits and cannot be unmounted, because a native frame or a class initialiser is on
     * its stack.
     */
    PINNED("pinned"),
    /** Native code runs, which computes or blocks the carrier. */
    NATIVE("native");

    final String word;

    HoldKind(String word) {
      this.word = word;
    }
  }

  /**
   * Returns how the virtual thread of this name, in this state and with this stack, holds its
   * carrier.
   *
   * @param isBlocked whether {@link CarrierIdleness} has found that the carrier is blocked in
   *     native code. The stack need not show that, because the JDK hides the native methods of
   *     foreign functions.
   */
  static CarrierHold of(
      String thread, Thread.State state, boolean isBlocked, StackTraceElement[] stack) {
    HoldKind kind =
        switch (state) {
          case WAITING, TIMED_WAITING, BLOCKED -> HoldKind.PINNED;
          default -> isBlocked || stack[0].isNativeMethod() ? HoldKind.NATIVE : HoldKind.COMPUTING;
        };
    return new CarrierHold(kind, placeIn(stack).toString(), List.of(stack), thread);
  }

  /** Returns the key of this hold. Holds of the same kind in the same method have the same key. */
  String key() {
    return kind + " " + methodOf(placeIn(stack.toArray(StackTraceElement[]::new)));
  }

  private static String methodOf(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  /**
   * Returns the innermost frame that does not belong to the JDK; the innermost frame if all belong
   * to it.
   */
  private static StackTraceElement placeIn(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!JdkCarriers.isOfTheJdk(frame)) {
        return frame;
      }
    }
    return stack[0];
  }
}
