package io.heddle.junit;

/** A {@link HeddleTest} failed under a seed, which the message names; the cause is what failed. */
public final class SeedFailure extends AssertionError {
  private static final long serialVersionUID = 1;

  SeedFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** The cause shows the way: this one's own says nothing. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
