package io.heddle;

/**
 * Thrown when the calling thread is interrupted in a method that declares no
 * {@link InterruptedException}: in a loop over a channel, and in {@link Group#go} of a full group.
 *
 * <p>The interrupt flag of the thread is set. The cause is the {@link InterruptedException}.
 */
public class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CancelledException(InterruptedException cause) {
    this("interrupted while receiving", cause);
  }

  /**
   * Makes an exception, for libraries with channels of their own. The library must also set the
   * interrupt flag of the thread.
   *
   * @param message what was interrupted
   * @param cause the exception that reported the interrupt
   */
  public CancelledException(String message, InterruptedException cause) {
    super(message, cause);
  }
}
