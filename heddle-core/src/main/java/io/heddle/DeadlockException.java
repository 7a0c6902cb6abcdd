package io.heddle;

/**
 * Thrown by {@link Scheduler#run} and {@link Go#main} when the main goroutine can never continue.
 * Either it waits, directly or through other goroutines, for a cycle of goroutines that wait for
 * each other; or every goroutine waits and no other thread can wake one; or a check
 * ({@code heddle leaks}, {@code heddle.leakcheck}) has found that no other thread can reach the
 * objects that it waits for.
 *
 * {@snippet :
 * try {
 *   Go.main(program);
 * } catch (DeadlockException e) {
 *   System.err.println(e.getMessage() + "\n" + e.dump());
 * }
 * }
 *
 * <p>The message says which goroutine waits for which. Those goroutines keep waiting; the scheduler
 * can still be used. A deadlock is reported only if it is certain, so a missing report proves
 * nothing. {@link Scheduler.Builder#deadlockDetection} turns the detection off.
 */
public class DeadlockException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A text that shows every goroutine of the scheduler. */
  private final String dump;

  DeadlockException(String waits, String dump) {
    super("deadlock!\n" + waits);
    this.dump = dump;
  }

  /**
   * Returns the dump of the scheduler at the time when the deadlock was found. It shows every
   * goroutine, as {@link Scheduler#dump} does.
   *
   * @return the dump, with line breaks
   */
  public String dump() {
    return dump;
  }
}
