package io.heddle.cluster.artemis;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.contract.RemoteContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What remote goroutines and locks promise, on one hub in this JVM. */
@Tag("full")
class EmbeddedRemoteTest extends RemoteContract {
  private static HubHere hub;

  @BeforeAll
  static void startHub() throws Exception {
    hub = HubHere.start();
  }

  @AfterAll
  static void stopHub() throws Exception {
    if (hub != null) {
      hub.close();
    }
  }

  @Override
  protected Cluster join(ClusterOptions options) throws Exception {
    return Cluster.open(hub.uri(), options);
  }
}
