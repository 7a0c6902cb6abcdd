package io.heddle;

/** The thread was interrupted where no checked exception can be thrown. Its interrupt flag is set. */
public class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CancelledException(InterruptedException cause) {
    this("interrupted while receiving", cause);
  }

  CancelledException(String message, InterruptedException cause) {
    super(message, cause);
  }
}
