package io.heddle;

/** The thread was interrupted where no checked exception can be thrown. Its interrupt flag is set. */
public class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CancelledException(InterruptedException cause) {
    super("interrupted while receiving", cause);
  }
}
