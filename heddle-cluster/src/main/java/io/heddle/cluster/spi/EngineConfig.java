package io.heddle.cluster.spi;

import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where an engine connects, and as what.
 *
 * @param uri the URI as the user wrote it, for example {@code nats://a:4222,b:4222}
 * @param cluster the name of the cluster: letters, digits, {@code _} and {@code -}, at most 64. Two
 *     clusters on one server share nothing
 * @param node the name of this node, for the server's lists of connections
 * @param connectTimeout how long opening may take
 * @param tls for connections with TLS; null if the user gave none
 * @param settings further settings of the engine. All engines read {@code user},
 *     {@code password} and {@code token}; one that does not know a key must refuse it by name
 */
public record EngineConfig(
    String uri,
    String cluster,
    String node,
    Duration connectTimeout,
    @Nullable SSLContext tls,
    Map<String, String> settings) {
  /** Copies the settings. */
  public EngineConfig {
    settings = Map.copyOf(settings);
  }

  /** Shows no settings, because they may hold a password. */
  @Override
  public String toString() {
    return "EngineConfig[" + uri + ", cluster " + cluster + ", node " + node + "]";
  }
}
