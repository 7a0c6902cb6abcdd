package io.heddle;

/**
 * Thrown by {@link Scheduler#run} and {@link Go#main} when the main goroutine can never continue.
 * Either it waits, directly or through other goroutines, for itself; or every goroutine waits and
 * no other thread can wake one.
 *
 * <p>The message says which goroutine waits for which. Those goroutines keep waiting; the scheduler
 * can still be used. A deadlock is reported only if it is certain, so a missing report proves
 * nothing. {@link Scheduler.Builder#deadlockDetection} turns the detection off.
 */
public class DeadlockException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Every goroutine of the scheduler. */
  private final String dump;

  DeadlockException(String waits, String dump) {
    super("deadlock!\n" + waits);
    this.dump = dump;
  }

  /**
   * Returns every goroutine of the scheduler, as {@link Scheduler#dump} showed it when the deadlock
   * was found.
   *
   * @return the dump, with line breaks
   */
  public String dump() {
    return dump;
  }
}
