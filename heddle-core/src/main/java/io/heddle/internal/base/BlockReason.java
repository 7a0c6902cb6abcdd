package io.heddle.internal.base;

/**
 * The blocker object that a goroutine passes when it parks to wait for an object of this library.
 * Dumps of the goroutine show the reason that this object gives.
 */
public interface BlockReason {
  /** Returns why the goroutine waits, in Go's words. */
  String reason();

  /**
   * Whether only goroutines of the same scheduler, and threads that have used the library, can end
   * the wait.
   */
  default boolean isInside() {
    return false;
  }
}
