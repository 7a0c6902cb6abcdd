package io.heddle.internal.base;

/** What a goroutine parks on that waits for something of ours: dumps show it. */
public interface BlockReason {
  /** Why, in Go's words. */
  String reason();

  /**
   * Whether only goroutines of the same scheduler, and threads that have used the library, can end
   * it.
   */
  default boolean isInside() {
    return false;
  }
}
