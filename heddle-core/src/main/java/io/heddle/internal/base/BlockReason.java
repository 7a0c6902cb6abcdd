package io.heddle.internal.base;

/**
 * The blocker object (see {@code LockSupport.park}) that a goroutine passes when it waits for an
 * object of this library. Dumps show the reason that the blocker object gives.
 */
public interface BlockReason {
  /** Returns why the goroutine waits, as Go's dumps name it: for example {@code chan receive}. */
  String reason();

  /**
   * Whether the wait is for an object that a goroutine of the same scheduler made. Then only
   * goroutines of this scheduler, and other threads that have used this library, can end the wait.
   * The deadlock detector needs this fact.
   */
  default boolean isInside() {
    return false;
  }
}
