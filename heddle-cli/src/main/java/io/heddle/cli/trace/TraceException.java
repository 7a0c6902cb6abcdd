package io.heddle.cli.trace;

import java.io.IOException;

/** A file that is no trace, or not one that can be read here; the message says which. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1;

  TraceException(String message) {
    super(message);
  }
}
