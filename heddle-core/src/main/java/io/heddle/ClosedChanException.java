package io.heddle;

/**
 * Thrown by a send to a closed channel, and by the close of a closed channel. Also thrown by a send
 * that was waiting when the channel was closed.
 *
 * <p>As in Go, this is a mistake in the program: the sending side must close a channel once, after
 * its last send. See {@link Chan}.
 */
public class ClosedChanException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception, for libraries with channels of their own.
   *
   * @param message what was tried, on which channel
   */
  public ClosedChanException(String message) {
    super(message);
  }
}
