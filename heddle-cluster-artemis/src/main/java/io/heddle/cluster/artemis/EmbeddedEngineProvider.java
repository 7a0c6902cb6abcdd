package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.EngineProvider;
import java.util.Set;

/**
 * Opens {@code embedded:} and {@code embedded:FOLDER}, which start the hub in this JVM or join the
 * one that uses the folder, and {@code embedded://host:port}, which joins.
 *
 * <p>Settings: {@code token} (what a node must know; needed beyond loopback), {@code keystore} and
 * {@code truststore} (PKCS12 files for TLS, with {@code keystorePassword} and {@code
 * truststorePassword}). For the JVM that starts the hub also {@code listen} (an address of this
 * machine; loopback if it is not given), {@code port} (any free one if it is not given) and {@code
 * fsync} ({@code true}: the hub waits for the disk before it confirms).
 */
public final class EmbeddedEngineProvider implements EngineProvider {
  /** For {@link java.util.ServiceLoader}. */
  public EmbeddedEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("embedded");
  }

  @Override
  public Engine open(EngineConfig config) throws InterruptedException {
    NodeLink link = new NodeLink(EmbeddedAddress.of(config), config.cluster());
    link.open(config.connectTimeout());
    return new EmbeddedEngine(link);
  }
}
