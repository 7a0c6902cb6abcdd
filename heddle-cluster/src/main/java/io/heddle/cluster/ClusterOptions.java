package io.heddle.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a node joins a cluster. Options are immutable; each method returns changed ones.
 *
 * {@snippet :
 * ClusterOptions options = ClusterOptions.defaults().cluster("shop").node("worker-1");
 * }
 */
public final class ClusterOptions {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final ClusterOptions DEFAULTS =
      new ClusterOptions(
          "main", defaultNode(), Duration.ofSeconds(10), Duration.ofSeconds(3), null, Map.of());

  private final String cluster;
  private final String node;
  private final Duration connectTimeout;
  private final Duration lease;
  private final @Nullable SSLContext tls;
  private final Map<String, String> settings;

  private ClusterOptions(
      String cluster,
      String node,
      Duration connectTimeout,
      Duration lease,
      @Nullable SSLContext tls,
      Map<String, String> settings) {
    this.cluster = cluster;
    this.node = node;
    this.connectTimeout = connectTimeout;
    this.lease = lease;
    this.tls = tls;
    this.settings = settings;
  }

  /**
   * Returns the defaults: cluster {@code main}, a node named after host and process, ten seconds to
   * connect, leases of three seconds, no TLS.
   *
   * @return the defaults
   */
  public static ClusterOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets the name of the cluster. Clusters of different names share nothing on one engine.
   *
   * @param name letters, digits, {@code _} and {@code -}, at most 64
   * @return changed options
   * @throws IllegalArgumentException if the name has other characters
   */
  public ClusterOptions cluster(String name) {
    return new ClusterOptions(
        checkedName("cluster", name), node, connectTimeout, lease, tls, settings);
  }

  /**
   * Sets the name of this node, for people. Several nodes may have one name.
   *
   * @param name letters, digits, {@code _} and {@code -}, at most 64
   * @return changed options
   * @throws IllegalArgumentException if the name has other characters
   */
  public ClusterOptions node(String name) {
    return new ClusterOptions(
        cluster, checkedName("node", name), connectTimeout, lease, tls, settings);
  }

  /**
   * Sets how long {@link Cluster#open} may take, and how long an operation on keys is repeated
   * while the engine does not answer.
   *
   * @param limit the time, more than zero
   * @return changed options
   */
  public ClusterOptions connectTimeout(Duration limit) {
    return new ClusterOptions(
        cluster, node, checkedTime("connectTimeout", limit), lease, tls, settings);
  }

  /**
   * Sets after which time without a sign of life this node counts as dead, and loses its locks. It
   * gives one every third of this.
   *
   * @param time the time, more than zero
   * @return changed options
   */
  public ClusterOptions lease(Duration time) {
    return new ClusterOptions(
        cluster, node, connectTimeout, checkedTime("lease", time), tls, settings);
  }

  /**
   * Sets the keys and certificates for connections with TLS.
   *
   * @param context the context
   * @return changed options
   */
  public ClusterOptions tls(SSLContext context) {
    return new ClusterOptions(
        cluster, node, connectTimeout, lease, Objects.requireNonNull(context, "context"), settings);
  }

  /**
   * Adds a setting for the engine, for example {@code user}, {@code password} or {@code token}.
   *
   * @param key the key
   * @param value the value
   * @return changed options
   */
  public ClusterOptions with(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, Objects.requireNonNull(value, "value"));
    return new ClusterOptions(cluster, node, connectTimeout, lease, tls, Map.copyOf(more));
  }

  private static String defaultNode() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "node";
    }
    String plain = host.replaceAll("[^A-Za-z0-9_-].*", "").toLowerCase(Locale.ROOT);
    String name = plain.isEmpty() ? "node" : plain.substring(0, Math.min(40, plain.length()));
    return name + "-" + ProcessHandle.current().pid();
  }

  static String checkedName(String what, String name) {
    if (!NAME.matcher(Objects.requireNonNull(name, what)).matches()) {
      throw new IllegalArgumentException(
          what + " \"" + name + "\": allowed are 1 to 64 letters, digits, _ and -");
    }
    return name;
  }

  static Duration checkedTime(String what, Duration time) {
    if (!Objects.requireNonNull(time, what).isPositive()) {
      throw new IllegalArgumentException(what + " " + time + ": allowed is more than zero");
    }
    return time;
  }

  String cluster() {
    return cluster;
  }

  String node() {
    return node;
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  Duration lease() {
    return lease;
  }

  @Nullable SSLContext tls() {
    return tls;
  }

  Map<String, String> settings() {
    return settings;
  }

  /** Shows no settings, because they may hold a password. */
  @Override
  public String toString() {
    return "ClusterOptions[cluster " + cluster + ", node " + node + ", lease " + lease + "]";
  }
}
