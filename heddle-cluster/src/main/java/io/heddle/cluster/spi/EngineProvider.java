package io.heddle.cluster.spi;

import java.util.Set;

/** Makes engines for some URI schemes. Found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {
  /**
   * Returns the schemes of the URIs that this provider understands, without the colon.
   *
   * @return for example {@code nats} and {@code tls}
   */
  Set<String> schemes();

  /**
   * Opens a connection of one node.
   *
   * @param config where to connect, and as what
   * @return the engine
   * @throws io.heddle.cluster.ClusterException if there is no connection within
   *     {@link EngineConfig#connectTimeout}; the message names every address that was tried
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  Engine open(EngineConfig config) throws InterruptedException;
}
