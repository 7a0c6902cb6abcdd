package io.heddle.cluster.nats;

import io.heddle.cluster.contract.EngineContract;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract, on one nats-server. */
@Execution(ExecutionMode.CONCURRENT)
class NatsEngineTest extends EngineContract {
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
  protected Engine connect(String cluster, String node) throws Exception {
    return connect(server.uri(), cluster, node, Map.of());
  }

  static Engine connect(String uri, String cluster, String node, Map<String, String> settings)
      throws InterruptedException {
    return new NatsEngineProvider()
        .open(new EngineConfig(uri, cluster, node, Duration.ofSeconds(10), null, settings));
  }
}
