package io.heddle.cluster.artemis;

import io.heddle.cluster.contract.EngineContract;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract, on one hub in this JVM. */
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedEngineTest extends EngineContract {
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
  protected Engine connect(String cluster, String node) throws Exception {
    return connect(hub.uri(), cluster, node, Map.of());
  }

  static Engine connect(String uri, String cluster, String node, Map<String, String> settings)
      throws InterruptedException {
    return new EmbeddedEngineProvider()
        .open(new EngineConfig(uri, cluster, node, Duration.ofSeconds(30), null, settings));
  }
}
