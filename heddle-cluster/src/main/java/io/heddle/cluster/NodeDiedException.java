package io.heddle.cluster;

/**
 * Thrown by {@link Remote#await} if the node that ran the function has died, or could not be
 * reached for longer than its lease. The function may have run, in part or whole.
 */
public class NodeDiedException extends ClusterException {
  private static final long serialVersionUID = 1;

  private final String node;

  NodeDiedException(String function, String node) {
    super("remote goroutine " + function + ": node " + node + " died while it ran there");
    this.node = node;
  }

  /**
   * Returns which node died.
   *
   * @return its id
   */
  public String node() {
    return node;
  }
}
