package io.heddle.cluster;

/**
 * Thrown when a delivery is settled after its lease has ended: this node was paused, or cut off
 * from the engine, for longer than the lease. The value has been or will be delivered again, maybe
 * to another node. What the caller has done with it may be done twice.
 */
public class StaleDeliveryException extends ClusterException {
  private static final long serialVersionUID = 1;

  StaleDeliveryException(String message) {
    super(message);
  }
}
