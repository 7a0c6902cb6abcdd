package io.heddle;

import java.io.Serial;
import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown by {@link Scheduler#admit} to refuse new work, because goroutines wait too long for a P. A
 * server should answer the refused request with the HTTP status 503.
 */
public class OverloadException extends RejectedExecutionException {
  @Serial private static final long serialVersionUID = 1;

  OverloadException(String message) {
    super(message);
  }
}
