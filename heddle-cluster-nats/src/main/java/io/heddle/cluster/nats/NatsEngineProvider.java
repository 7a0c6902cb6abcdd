package io.heddle.cluster.nats;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.EngineProvider;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code nats://host:port,host:port} and {@code tls://host:port}.
 *
 * <p>Settings: {@code user} and {@code password}, {@code token}, {@code credentials} (the path of a
 * {@code .creds} file), {@code replicas} (how many servers keep the keys of the cluster: 1, 3 or
 * 5). User and password may also stand in the URI.
 */
public final class NatsEngineProvider implements EngineProvider {
  private static final Set<String> SETTINGS =
      new TreeSet<>(Set.of("user", "password", "token", "credentials", "replicas"));
  private static final int DEFAULT_PORT = 4222;
  private static final long RETRY_MILLIS = 200;

  /** For {@link java.util.ServiceLoader}. */
  public NatsEngineProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("nats", "tls");
  }

  @Override
  public Engine open(EngineConfig config) throws InterruptedException {
    List<URI> servers = servers(config.uri());
    String address =
        servers.stream()
            .map(each -> each.getScheme() + "://" + each.getHost() + ":" + each.getPort())
            .collect(Collectors.joining(","));
    NatsEvents events = new NatsEvents(address);
    Options.Builder options =
        new Options.Builder()
            .servers(servers.stream().map(URI::toString).toArray(String[]::new))
            .connectionName(config.cluster() + "/" + config.node())
            .maxReconnects(-1)
            .reconnectWait(Duration.ofMillis(250))
            .pingInterval(Duration.ofSeconds(5))
            .requestCleanupInterval(Duration.ofMillis(100))
            .maxMessagesInOutgoingQueue(0)
            .reportNoResponders()
            .useTimeoutException()
            .errorListener(new ErrorListener() {}) // the default one writes to the log
            .connectionListener(events);
    if (config.tls() != null) {
      options.sslContext(config.tls());
    }
    authenticate(options, config.settings(), address);
    int replicas = replicas(config.settings().get("replicas"), address);
    Connection connection = connect(options, config.connectTimeout(), address);
    NatsEngine engine = new NatsEngine(connection, address, NatsNames.of(config.cluster()));
    try {
      engine.start(replicas);
      events.tell(engine);
      return engine;
    } catch (RuntimeException | InterruptedException e) {
      engine.close();
      throw e;
    }
  }

  private static List<URI> servers(String uri) {
    int end = uri.indexOf("://");
    String scheme = end < 0 ? "" : uri.substring(0, end);
    List<URI> servers = new ArrayList<>();
    for (String part : (end < 0 ? "" : uri.substring(end + 3)).split(",", -1)) {
      servers.add(server(part.contains("://") ? part : scheme + "://" + part));
    }
    return servers;
  }

  private static URI server(String text) {
    try {
      URI uri = new URI(text);
      String path = uri.getPath();
      if (uri.getHost() != null && (path == null || path.isEmpty() || path.equals("/"))) {
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        return new URI(uri.getScheme(), uri.getUserInfo(), uri.getHost(), port, null, null, null);
      }
    } catch (URISyntaxException e) {
      // The message below says what is allowed, and the exception would show a password.
    }
    throw new ClusterException(
        "engine nats: \""
            + text.replaceAll("//[^/]*@", "//…@")
            + "\" is no server; allowed is nats://host:port or tls://host:port, several with a"
            + " comma between them");
  }

  private static void authenticate(
      Options.Builder options, Map<String, String> settings, String address) {
    for (String key : settings.keySet()) {
      if (!SETTINGS.contains(key)) {
        throw NatsLink.failure(
            address, "there is no setting " + key + "; there are " + SETTINGS, null);
      }
    }
    String user = settings.get("user");
    String password = settings.get("password");
    String token = settings.get("token");
    String credentials = settings.get("credentials");
    if ((user == null) != (password == null)) {
      throw NatsLink.failure(
          address, "the settings user and password must be given together", null);
    }
    int ways = (user == null ? 0 : 1) + (token == null ? 0 : 1) + (credentials == null ? 0 : 1);
    if (ways > 1) {
      throw NatsLink.failure(address, "only one of user, token and credentials may be given", null);
    }
    if (user != null && password != null) {
      options.userInfo(user.toCharArray(), password.toCharArray());
    } else if (token != null) {
      options.token(token.toCharArray());
    } else if (credentials != null) {
      if (!Files.isReadable(Path.of(credentials))) {
        throw NatsLink.failure(
            address,
            "the file " + credentials + " of the setting credentials cannot be read",
            null);
      }
      options.credentialPath(credentials);
    }
  }

  /** Returns 0 if there is no such setting. */
  private static int replicas(@Nullable String text, String address) {
    if (text == null) {
      return 0;
    }
    if (!text.matches("[1-5]")) {
      throw NatsLink.failure(address, "the setting replicas is 1 to 5, not " + text, null);
    }
    return Integer.parseInt(text);
  }

  /** Tries all servers again and again until the time is over; a refusal is final. */
  private static Connection connect(Options.Builder options, Duration limit, String address)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      long left = Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis());
      try {
        return Nats.connect(
            options.connectionTimeout(Duration.ofMillis(Math.min(left, 2_000))).build());
      } catch (AuthenticationException e) {
        throw NatsLink.failure(address, "the server refuses the credentials", e);
      } catch (IOException e) {
        if (System.nanoTime() + Duration.ofMillis(RETRY_MILLIS).toNanos() - end > 0) {
          String what = "no connection within " + limit.toMillis() + " ms";
          throw NatsLink.failure(address, what, e);
        }
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }
}
