package io.heddle.internal.base;

/**
 * The blocker object that a goroutine passes when it parks to wait for an object of this library.
 * Dumps of the goroutine show the reason that this object gives.
 */
public interface BlockReason {
  /** Returns why the goroutine waits, as Go's dumps name it: for example {@code chan receive}. */
  String reason();

  /**
   * Whether the wait is for an object that a goroutine of the same scheduler made. Then only such
   * goroutines, and other threads that have used this library, can end the wait. The deadlock
   * detector needs this.
   */
  default boolean isInside() {
    return false;
  }
}
