package io.heddle.cluster;

import org.jspecify.annotations.Nullable;

/** Thrown when a {@link Codec} cannot turn a value into bytes, or bytes into a value. */
public class CodecException extends ClusterException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception.
   *
   * @param message what cannot be coded, and why
   */
  public CodecException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message what cannot be coded, and why
   * @param cause why; null if there is no other exception
   */
  public CodecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
