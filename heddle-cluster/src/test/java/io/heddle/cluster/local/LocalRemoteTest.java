package io.heddle.cluster.local;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.contract.RemoteContract;

/** What remote goroutines and locks promise, on the engine inside this process. */
class LocalRemoteTest extends RemoteContract {
  @Override
  protected Cluster join(ClusterOptions options) throws Exception {
    return Cluster.open("local:remote", options);
  }
}
