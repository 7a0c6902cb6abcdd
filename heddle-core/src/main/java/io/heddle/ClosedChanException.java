package io.heddle;

/** A channel was used in a way that it cannot be after it was closed. */
public class ClosedChanException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ClosedChanException(String message) {
    super(message);
  }
}
