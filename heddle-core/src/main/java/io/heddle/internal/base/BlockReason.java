package io.heddle.internal.base;

/**
 * The blocker with which a goroutine parks while it waits for an object of this library. Dumps show
 * its reason.
 */
public interface BlockReason {
  /** Why, in Go's words. */
  String reason();

  /**
   * Whether only goroutines of the same scheduler, and threads that have used the library, can end
   * the wait.
   */
  default boolean isInside() {
    return false;
  }
}
