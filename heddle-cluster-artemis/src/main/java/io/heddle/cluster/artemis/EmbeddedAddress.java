package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.EngineConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a URI of the engine and its settings say.
 *
 * @param folder where the hub keeps its data, and is found; null: the hub is elsewhere
 * @param host where the hub listens
 * @param port the port of the hub; 0: any free one
 * @param token what a node must know; empty: nothing
 * @param isForced whether the hub waits for the disk before it confirms
 * @param tls keys and certificates; null: no TLS
 */
record EmbeddedAddress(
    @Nullable Path folder,
    String host,
    int port,
    String token,
    boolean isForced,
    @Nullable SSLContext tls) {
  private static final Set<String> HUB_SETTINGS = Set.of("listen", "port", "fsync");
  private static final Set<String> SETTINGS = settings();
  private static final String SCHEME = "embedded:";
  private static final int MAX_PORT = 65_535;

  private static Set<String> settings() {
    Set<String> all = new TreeSet<>(HUB_SETTINGS);
    all.addAll(EmbeddedTls.SETTINGS);
    all.add("token");
    return all;
  }

  static EmbeddedAddress of(EngineConfig config) {
    String rest = config.uri().substring(SCHEME.length());
    Map<String, String> settings = config.settings();
    for (String key : settings.keySet()) {
      if (!SETTINGS.contains(key)) {
        throw failure(config, "there is no setting " + key + "; there are " + SETTINGS);
      }
    }
    boolean isElsewhere = rest.startsWith("//");
    EmbeddedAddress address =
        isElsewhere ? elsewhere(config, rest.substring(2)) : here(config, rest);
    if (address.token().isEmpty() && !address.isLoopback(config)) {
      throw failure(
          config,
          address.host()
              + " is not this machine's loopback address, so the setting token is needed");
    }
    return address;
  }

  private static EmbeddedAddress elsewhere(EngineConfig config, String authority) {
    for (String key : new TreeSet<>(config.settings().keySet())) {
      if (HUB_SETTINGS.contains(key)) {
        throw failure(
            config, "the setting " + key + " is for the JVM that starts the hub: embedded:FOLDER");
      }
    }
    try {
      URI uri = new URI("embedded://" + authority);
      if (uri.getHost() != null
          && uri.getPort() > 0
          && uri.getPort() <= MAX_PORT
          && uri.getRawUserInfo() == null
          && uri.getRawPath().isEmpty()
          && uri.getRawQuery() == null) {
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        return new EmbeddedAddress(null, host, uri.getPort(), token(config), false, tls(config));
      }
    } catch (URISyntaxException e) {
      // The message below says what is allowed, and the exception might show a password.
    }
    throw failure(
        config,
        "allowed is embedded: or embedded:FOLDER to start or join, embedded://host:port to join");
  }

  private static EmbeddedAddress here(EngineConfig config, String folder) {
    Path where =
        folder.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".heddle", "embedded")
            : Path.of(folder);
    String port = config.settings().getOrDefault("port", "0");
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
      throw failure(config, "the setting port is 0 to " + MAX_PORT + ", not " + port);
    }
    String fsync = config.settings().getOrDefault("fsync", "false");
    if (!fsync.equals("true") && !fsync.equals("false")) {
      throw failure(config, "the setting fsync is true or false, not " + fsync);
    }
    return new EmbeddedAddress(
        where.toAbsolutePath().normalize(),
        config.settings().getOrDefault("listen", "127.0.0.1"),
        Integer.parseInt(port),
        token(config),
        fsync.equals("true"),
        hubTls(config));
  }

  /** Returns the keys of a JVM that may start the hub. */
  private static @Nullable SSLContext hubTls(EngineConfig config) {
    if (config.settings().containsKey(EmbeddedTls.TRUST_STORE)
        && !config.settings().containsKey(EmbeddedTls.KEY_STORE)) {
      throw failure(
          config, "the setting keystore is needed, too, because this JVM may start the hub");
    }
    return tls(config);
  }

  private static @Nullable SSLContext tls(EngineConfig config) {
    try {
      SSLContext fromSettings = EmbeddedTls.of(config.settings());
      if (fromSettings != null && config.tls() != null) {
        throw failure(config, "give either a context for TLS or the settings of stores, not both");
      }
      return fromSettings == null ? config.tls() : fromSettings;
    } catch (EmbeddedTls.BadStoreException e) {
      throw failure(config, String.valueOf(e.getMessage()));
    }
  }

  private static String token(EngineConfig config) {
    return config.settings().getOrDefault("token", "");
  }

  private boolean isLoopback(EngineConfig config) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw failure(config, "there is no host " + host);
    }
  }

  private static ClusterException failure(EngineConfig config, String why) {
    return new ClusterException(
        "engine embedded: " + config.uri().replaceAll("//[^/]*@", "//…@") + ": " + why);
  }

  /** Shows no token. */
  @Override
  public String toString() {
    return folder == null ? "embedded://" + host + ":" + port : SCHEME + folder;
  }
}
