package io.heddle.cluster.nats;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.contract.RemoteContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What remote goroutines and locks promise, on one nats-server. */
@Tag("full")
class NatsRemoteTest extends RemoteContract {
  private static NatsServer server;

  @BeforeAll
  static void startServer() throws Exception {
    server = NatsServer.start();
  }

  @AfterAll
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected Cluster join(ClusterOptions options) throws Exception {
    return Cluster.open(server.uri(), options);
  }
}
