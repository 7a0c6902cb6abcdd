package io.heddle.cluster.local;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.contract.ClusterContract;

/** What channels promise, on the engine inside this process. */
class LocalClusterTest extends ClusterContract {
  @Override
  protected Cluster join(ClusterOptions options) throws Exception {
    return Cluster.open("local:channels", options);
  }
}
