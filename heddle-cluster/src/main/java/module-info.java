import io.heddle.cluster.local.LocalEngineProvider;
import io.heddle.cluster.spi.EngineProvider;

/** Channels, goroutines and locks that cross processes, on an engine that stores and replicates. */
module io.heddle.cluster {
  requires transitive io.heddle;
  requires static org.jspecify;
  requires static jdk.jfr;
  requires tools.jackson.databind;

  exports io.heddle.cluster;
  exports io.heddle.cluster.local;
  exports io.heddle.cluster.spi;

  uses EngineProvider;

  provides EngineProvider with
      LocalEngineProvider;
}
