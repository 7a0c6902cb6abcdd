package io.heddle.junit;

/**
 * Thrown when a {@link HeddleTest} fails. The message names the seed and how to run it again; the
 * cause is the failure itself.
 */
public final class SeedFailure extends AssertionError {
  private static final long serialVersionUID = 1;

  SeedFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** Omits the stack trace of this error, because only that of the cause is useful. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
