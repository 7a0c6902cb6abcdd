package io.heddle.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.contract.Certificates;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections with TLS. */
@Timeout(60)
@Tag("full")
class NatsTlsTest {
  @TempDir private Path folder;

  @Test
  void serverWithAnOwnCertificateIsTrustedOnlyWithItsContext() throws Exception {
    KeyStore keys =
        Certificates.load(
            Certificates.make(folder.resolve("keys.p12"), "IP:127.0.0.1,DNS:localhost"));
    try (NatsServer server =
        NatsServer.start(
            "--tls",
            "--tlscert=" + pem("CERTIFICATE", keys.getCertificate(Certificates.ALIAS).getEncoded()),
            "--tlskey=" + pem("PRIVATE KEY", key(keys).getEncoded()))) {
      String uri = server.uri().replace("nats://", "tls://");
      try (Engine engine = open(uri, Certificates.trusting(keys), Duration.ofSeconds(10))) {
        assertThat(engine.isConnected()).isTrue();
        assertThat(engine.registry().list("any")).isEmpty();
      }
      assertThatThrownBy(() -> open(uri, null, Duration.ofMillis(500)))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining(uri);
    }
  }

  private static Engine open(String uri, @Nullable SSLContext tls, Duration limit)
      throws InterruptedException {
    return new NatsEngineProvider().open(new EngineConfig(uri, "tls", "a", limit, tls, Map.of()));
  }

  private static Key key(KeyStore keys) throws Exception {
    return keys.getKey(Certificates.ALIAS, Certificates.PASSWORD.toCharArray());
  }

  private Path pem(String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(kind.replace(' ', '-') + ".pem"),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }
}
