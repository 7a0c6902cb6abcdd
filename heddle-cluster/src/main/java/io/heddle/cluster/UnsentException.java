package io.heddle.cluster;

/**
 * Thrown by a send whose {@link io.heddle.Context} has ended, or whose cluster was closed, before
 * the engine has confirmed it.
 */
public class UnsentException extends ClusterException {
  private static final long serialVersionUID = 1;

  private final boolean isUnknown;

  UnsentException(String message, boolean isUnknown) {
    super(message);
    this.isUnknown = isUnknown;
  }

  /**
   * Returns whether the value may have been stored.
   *
   * @return false if it certainly was not; true if the engine was asked and has not answered
   */
  public boolean isUnknown() {
    return isUnknown;
  }
}
