package io.heddle.cluster.artemis;

import static io.heddle.cluster.contract.Frames.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.contract.Certificates;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.Registry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections with TLS, between processes. */
@Tag("full")
@Timeout(120)
class EmbeddedTlsTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  @TempDir private static Path stores;
  private static Path keys;
  private static Path trusted;

  @TempDir private Path folder;

  @BeforeAll
  static void makeStores() throws Exception {
    keys = Certificates.make(stores.resolve("keys.p12"), "IP:127.0.0.1,DNS:localhost");
    trusted =
        Certificates.store(
            Certificates.trusted(Certificates.load(keys)), stores.resolve("trusted.p12"));
  }

  private static Map<String, String> keyStore(Path file) {
    return Map.of("keystore", file.toString(), "keystorePassword", Certificates.PASSWORD);
  }

  private static Map<String, String> trustStore() {
    return Map.of("truststore", trusted.toString(), "truststorePassword", Certificates.PASSWORD);
  }

  private static Engine open(
      String uri, @Nullable SSLContext tls, Map<String, String> settings, Duration limit)
      throws InterruptedException {
    return new EmbeddedEngineProvider()
        .open(new EngineConfig(uri, "tls", "a", limit, tls, settings));
  }

  private static void refuses(
      String uri, @Nullable SSLContext tls, Map<String, String> settings, String... words) {
    assertThatThrownBy(() -> open(uri, tls, settings, SHORT).close())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("engine embedded")
        .hasMessageContainingAll(words)
        .hasMessageNotContaining(Certificates.PASSWORD);
  }

  @Test
  void nodesThatTrustTheHubJoinAndOthersAreToldWhy() throws Exception {
    try (HubProcess hub = HubProcess.start(folder, keyStore(keys))) {
      Duration limit = Duration.ofSeconds(30);
      try (Engine byFiles = open(hub.uri(), null, trustStore(), limit);
          Engine byContext =
              open(hub.uri(), Certificates.trusting(Certificates.load(keys)), Map.of(), limit)) {
        assertThat(byFiles.registry().create("k.one", bytes("x"), null)).isPresent();
        assertThat(byContext.registry().get("k.one")).isNotNull();
      }
      refuses(hub.uri(), null, Map.of(), "127.0.0.1:" + hub.port(), "without TLS");
      refuses("embedded:" + folder, null, Map.of(), "has TLS", "this node has none");
      refuses(hub.uri(), SSLContext.getDefault(), Map.of(), "with TLS", "certification path");
    }
  }

  @Test
  void certificateForAnotherHostIsRefused() throws Exception {
    Path other = Certificates.make(folder.resolve("other.p12"), "DNS:other.example");
    // The node that starts the hub is refused by itself, so this one has a hub of its own first.
    try (Engine plain = open("embedded:" + folder, null, Map.of(), Duration.ofSeconds(30))) {
      refuses("embedded://" + plain.address(), null, keyStore(keys), "with TLS");
    }
    refuses("embedded:" + folder.resolve("hub"), null, keyStore(other), "with TLS", "127.0.0.1");
  }

  @Test
  void nodeTakesOverAKilledHubWithTls() throws Exception {
    try (HubProcess hub = HubProcess.start(folder, keyStore(keys));
        Engine a = open("embedded:" + folder, null, keyStore(keys), Duration.ofSeconds(30))) {
      long revision = a.registry().create("k.one", bytes("x"), null).orElseThrow();
      hub.kill();
      assertThat(get(a, "k.one").revision()).isEqualTo(revision);
      refuses("embedded://" + a.address(), null, Map.of(), "without TLS");
    }
  }

  private static Registry.Entry get(Engine from, String key) throws Exception {
    while (true) {
      try {
        return from.registry().get(key);
      } catch (AwayException e) {
        TimeUnit.MILLISECONDS.sleep(20); // another hub begins
      }
    }
  }

  @Test
  void storesThatCannotBeUsedAreNamed() throws Exception {
    String uri = "embedded:" + folder;
    String none = folder.resolve("none.p12").toString();
    refuses(uri, null, Map.of("keystore", none), "keystore", none);
    refuses(
        uri,
        null,
        Map.of("keystore", keys.toString(), "keystorePassword", "wrong"),
        "keystore",
        keys.toString(),
        "keystorePassword");
    refuses(uri, null, Map.of("keystorePassword", "x"), "keystorePassword", "without keystore");
    refuses(uri, null, trustStore(), "keystore is needed");
    refuses(uri, SSLContext.getDefault(), keyStore(keys), "not both");
  }
}
