package io.heddle.internal.jdk;

/** A change of a class file. It has no state, because it may be applied several times. */
@FunctionalInterface
interface ClassChange {
  /**
   * Returns the changed class file.
   *
   * @throws IllegalStateException if the change does not fit {@code file}; the message says why
   */
  byte[] apply(byte[] file);
}
