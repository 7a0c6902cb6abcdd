package io.heddle.cluster.spi;

import io.heddle.cluster.ClusterException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by an engine that cannot be reached now, or has not answered in time: the operation may
 * have been done or not, and may be tried again. Every other {@link ClusterException} of an engine
 * is final.
 */
public class AwayException extends ClusterException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception.
   *
   * @param message what was tried, and the engine with its address
   */
  public AwayException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message what was tried, and the engine with its address
   * @param cause why; null if there is no other exception
   */
  public AwayException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
