package io.heddle.cli.attach;

/** Thrown if a process cannot be inspected; the message says why, and what to do. */
public final class TargetException extends Exception {
  private static final long serialVersionUID = 1;

  TargetException(String message) {
    super(message);
  }

  TargetException(String message, Throwable cause) {
    super(message, cause);
  }
}
