import io.heddle.cluster.nats.NatsEngineProvider;
import io.heddle.cluster.spi.EngineProvider;

/** The engine {@code nats} of {@code io.heddle.cluster}: NATS JetStream. */
module io.heddle.cluster.nats {
  requires io.heddle.cluster;
  requires io.nats.jnats;
  requires static org.jspecify;

  exports io.heddle.cluster.nats;

  provides EngineProvider with
      NatsEngineProvider;
}
