package io.heddle.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * A setting of the program has a value that is not allowed. The message says where the setting was
 * found, and what is allowed.
 *
 * <p>The agent treats this exception as a mistake of the user. It treats any other {@link
 * IllegalArgumentException} as an error inside a feature.
 */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidSettingException(String message) {
    super(message);
  }

  public InvalidSettingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
