package io.heddle.cluster.local;

import io.heddle.cluster.contract.EngineContract;
import io.heddle.cluster.spi.Engine;

/** The contract, on the engine inside this process. */
class LocalEngineTest extends EngineContract {
  private static final LocalHub HUB = new LocalHub();

  @Override
  protected Engine connect(String cluster, String node) {
    return HUB.connect(cluster, cluster + "-" + node);
  }
}
