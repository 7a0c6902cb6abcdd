package io.heddle.stress.soak;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Checks with messages for failures. */
final class Expect {
  private Expect() {}

  static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  static void same(String what, Object actual, Object expected) {
    if (!expected.equals(actual)) {
      throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }
  }

  /** Each element occurs once. */
  static void once(String what, AtomicIntegerArray counts) {
    for (int i = 0; i < counts.length(); i++) {
      if (counts.get(i) != 1) {
        throw new AssertionError(what + " " + i + ": " + counts.get(i) + " times instead of once");
      }
    }
  }
}
