package io.heddle.internal.jdk;

import jdk.internal.misc.Unsafe;

/**
 * Tells whether an agent other than Heddle's has redefined or retransformed a class.
 *
 * <p>The JVM counts the redefinitions of each class, in a field of its {@code Class}. The count of
 * a class includes those of its superclass, so {@link #isByOthers} subtracts them. It also
 * subtracts the redefinitions by Heddle itself.
 */
final class Redefinitions {
  /*
   * The number of redefinitions by Heddle itself is in a system property. Several class loaders may
   * each have loaded a copy of Heddle. A copy must not count the redefinitions by another copy as
   * those of another agent.
   */
  private static final String OURS = "io.heddle.redefined.";

  private Redefinitions() {}

  /** Records one retransformation of {@code classes} by Heddle itself. */
  static void addOurs(Class<?>... classes) {
    for (Class<?> type : classes) {
      Object _ =
          System.getProperties()
              .merge(OURS + type.getName(), "1", (n, _) -> "" + (Integer.parseInt("" + n) + 1));
    }
  }

  /** Whether another agent has redefined {@code type} at least once, with or without a change. */
  static boolean isByOthers(Class<?> type) {
    return count(type) - count(type.getSuperclass()) > Integer.getInteger(OURS + type.getName(), 0);
  }

  private static int count(Class<?> type) {
    Unsafe unsafe = Unsafe.getUnsafe();
    return unsafe.getIntVolatile(
        type, unsafe.objectFieldOffset(Class.class, "classRedefinedCount"));
  }
}
