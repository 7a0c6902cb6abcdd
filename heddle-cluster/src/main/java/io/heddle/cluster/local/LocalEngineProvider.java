package io.heddle.cluster.local;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.EngineProvider;
import java.util.Set;

/** Opens {@code local:} and {@code local:name}: a hub per name, which ends with its last node. */
public final class LocalEngineProvider implements EngineProvider {
  /** For {@link java.util.ServiceLoader}. */
  public LocalEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("local");
  }

  @Override
  public Engine open(EngineConfig config) {
    for (String key : config.settings().keySet()) {
      throw new ClusterException(
          "setting " + key + " of " + config.uri() + ": the engine local has no settings");
    }
    return LocalHub.shared(config.uri()).connect(config.cluster(), config.node());
  }
}
