package io.heddle;

/**
 * The main goroutine of {@link Scheduler#run} can never go on: it waits, through others or at once, for itself; or every
 * goroutine waits, and there is nobody else.
 *
 * <p>The message says who waits for whom. Those goroutines wait on; the scheduler can still be used.
 */
public class DeadlockException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String dump;

  DeadlockException(String waits, String dump) {
    super("deadlock!\n" + waits);
    this.dump = dump;
  }

  /** Every goroutine of the scheduler, as {@link Scheduler#dump} showed it then. */
  public String dump() {
    return dump;
  }
}
