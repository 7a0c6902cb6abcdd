package io.heddle.cluster;

/** Thrown by {@link Remote#await} if the function has thrown on its node. */
public class RemoteFailureException extends ClusterException {
  private static final long serialVersionUID = 1;

  private final String thrown;
  private final String node;
  private final String remoteStack;

  RemoteFailureException(String function, String node, String thrown, String stack) {
    super("remote goroutine " + function + " failed on node " + node + ": " + thrown);
    this.thrown = thrown;
    this.node = node;
    this.remoteStack = stack;
  }

  /**
   * Returns what was thrown.
   *
   * @return its {@code toString}: class and message
   */
  public String thrown() {
    return thrown;
  }

  /**
   * Returns where it was thrown.
   *
   * @return the id of the node
   */
  public String node() {
    return node;
  }

  /**
   * Returns the stack trace of what was thrown, as text.
   *
   * @return several lines
   */
  public String remoteStack() {
    return remoteStack;
  }
}
