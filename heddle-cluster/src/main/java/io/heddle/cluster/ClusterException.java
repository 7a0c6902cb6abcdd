package io.heddle.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an operation on a cluster cannot be done. The message names the channel or key, the
 * engine and its address.
 */
public class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception.
   *
   * @param message what could not be done, where, and what is allowed
   */
  public ClusterException(String message) {
    this(message, null);
  }

  /**
   * Makes an exception.
   *
   * @param message what could not be done, where, and what is allowed
   * @param cause why; null if there is no other exception
   */
  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
