package io.heddle.cli.trace;

import java.io.IOException;

/** Thrown for a file that is not a trace, or one of another version; the message says which. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1;

  TraceException(String message) {
    super(message);
  }
}
