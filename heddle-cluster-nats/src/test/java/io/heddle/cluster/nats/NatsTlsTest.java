package io.heddle.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections with TLS. */
@Timeout(60)
@Tag("full")
class NatsTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path folder;

  @Test
  void serverWithAnOwnCertificateIsTrustedOnlyWithItsContext() throws Exception {
    KeyStore keys = makeCertificate();
    try (NatsServer server =
        NatsServer.start(
            "--tls",
            "--tlscert=" + pem("CERTIFICATE", keys.getCertificate("nats").getEncoded()),
            "--tlskey=" + pem("PRIVATE KEY", key(keys).getEncoded()))) {
      String uri = server.uri().replace("nats://", "tls://");
      try (Engine engine = open(uri, trusting(keys), Duration.ofSeconds(10))) {
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
    return keys.getKey("nats", PASSWORD);
  }

  private KeyStore makeCertificate() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "nats",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=IP:127.0.0.1,DNS:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private Path pem(String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(kind.replace(' ', '-') + ".pem"),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext trusting(KeyStore keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("nats", keys.getCertificate("nats"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
