package io.heddle.cluster.local;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterObserver;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.contract.StatusContract;

/** What a look at a cluster shows, on the engine inside this process. */
class LocalStatusTest extends StatusContract {
  @Override
  protected Cluster join(ClusterOptions options) throws Exception {
    return Cluster.open("local:status", options);
  }

  @Override
  protected ClusterObserver observe(ClusterOptions options) throws Exception {
    return ClusterObserver.open("local:status", options);
  }
}
