package io.heddle.cluster.artemis;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the engine refuses, and how it says so. */
@Timeout(120)
class EmbeddedRefusalTest {
  @TempDir private Path folder;

  private static Engine open(String uri, Map<String, String> settings) throws Exception {
    return EmbeddedEngineTest.connect(uri, "refusals", "a", settings);
  }

  private static void refuses(String uri, Map<String, String> settings, String... words) {
    assertThatThrownBy(() -> open(uri, settings).close())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("engine embedded")
        .hasMessageContainingAll(words);
  }

  @Test
  void badAddressesAndSettingsAreNamed() {
    refuses("embedded://host", Map.of(), "embedded://host:port");
    refuses("embedded://host:0", Map.of(), "embedded://host:port");
    refuses("embedded://h:1/path", Map.of(), "embedded://host:port");
    refuses("embedded:", Map.of("user", "me"), "no setting user", "token");
    refuses("embedded:" + folder, Map.of("port", "70000"), "port", "70000", "65535");
    refuses("embedded:" + folder, Map.of("fsync", "yes"), "fsync", "true or false", "yes");
    refuses("embedded://127.0.0.1:1", Map.of("port", "1"), "port", "embedded:FOLDER");
  }

  @Test
  void tokenIsNeededBeyondLoopback() {
    refuses("embedded://192.0.2.1:5000", Map.of(), "192.0.2.1", "token");
    refuses("embedded:" + folder, Map.of("listen", "0.0.0.0"), "0.0.0.0", "token");
  }

  @Test
  void wrongTokenIsRefusedAndNotShown() throws Exception {
    try (Engine hub = open("embedded:" + folder, Map.of("token", "right"))) {
      String address = "embedded://" + hub.address();
      refuses(address, Map.of("token", "wr0ng"), "refuses the token");
      refuses(address, Map.of(), "refuses the token");
      assertThatThrownBy(() -> open(address, Map.of("token", "wr0ng")))
          .hasMessageNotContaining("wr0ng");
      try (Engine node = open(address, Map.of("token", "right"))) {
        assertThat(node.registry().create("k.one", bytes("x"), null)).isPresent();
      }
    }
  }

  @Test
  void hubThatIsNotThereIsNamedWithItsAddress() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    EngineConfig config =
        new EngineConfig(
            "embedded://127.0.0.1:" + port, "c", "a", Duration.ofMillis(300), null, Map.of());
    assertThatThrownBy(() -> new EmbeddedEngineProvider().open(config))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("300 ms");
  }

  @Test
  void logsThatCannotBeKeptAreRefused() throws Exception {
    try (Engine a = open("embedded:" + folder, Map.of())) {
      Duration lease = Duration.ofSeconds(1);
      assertThatThrownBy(() -> a.log(new LogSpec("copies", 5, 100, Storage.ANY, 3, lease)))
          .isInstanceOf(ClusterException.class)
          .hasMessageContainingAll("engine embedded", "copies", "one copy", "3");
      assertThatThrownBy(() -> a.log(new LogSpec("large", 5, 100 << 20, Storage.ANY, 1, lease)))
          .isInstanceOf(ClusterException.class)
          .hasMessageContainingAll("large", "" + (100 << 20));
      Log log = a.log(new LogSpec("small", 5, 100, Storage.ANY, 1, lease));
      assertThatThrownBy(() -> done(log.publish(new byte[101], "id")))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContainingAll("small", "101", "100");
      assertThat(log.state().stored()).isZero();
      a.delete("small");
      assertThatThrownBy(log::state)
          .isInstanceOf(ClusterException.class)
          .hasMessageContainingAll("small", "gone");
    }
  }

  @Test
  void keyThatIsTooLargeIsRefusedAndTheHubGoesOn() throws Exception {
    try (Engine a = open("embedded:" + folder, Map.of())) {
      assertThatThrownBy(() -> a.registry().create("k.one", new byte[6 << 20], null))
          .isInstanceOf(ClusterException.class)
          .hasMessageContainingAll("k.one", "" + (6 << 20), "65536");
      assertThat(a.registry().create("k.one", new byte[64 << 10], null)).isPresent();
      assertThat(a.isConnected()).isTrue();
    }
  }

  @Test
  void garbageDoesNotHarmTheHub() throws Exception {
    try (Engine a = open("embedded:" + folder, Map.of())) {
      String[] address = a.address().split(":", -1);
      Random random = new Random(7);
      try (ServerLocator locator =
              Transport.locator(
                  Transport.tcp(address[0], Integer.parseInt(address[1]), null, 10_000));
          ClientSession session =
              Transport.session(locator.createSessionFactory(), Transport.NODE_USER, "")) {
        ClientProducer hub = session.createProducer(Transport.HUB);
        for (int i = 0; i < 2_000; i++) {
          byte[] bytes = new byte[random.nextInt(60)];
          random.nextBytes(bytes);
          ClientMessage message = session.createMessage(false);
          if (i % 3 > 0) {
            message.putStringProperty(Transport.FROM, "heddle.node.nothing" + i % 5);
            message.getBodyBuffer().writeInt(bytes.length + (i % 2));
            message.getBodyBuffer().writeByte((byte) random.nextInt(Op.values().length + 1));
          }
          message.getBodyBuffer().writeBytes(bytes);
          hub.send(message);
        }
      }
      assertThat(a.registry().create("k.one", bytes("x"), null)).isPresent();
      assertThat(a.isConnected()).isTrue();
    }
  }

  @Test
  void nodeMayDoNothingButTalkToTheHub() throws Exception {
    try (Engine a = open("embedded:" + folder, Map.of())) {
      String[] address = a.address().split(":", -1);
      try (ServerLocator locator =
          Transport.locator(
              Transport.tcp(address[0], Integer.parseInt(address[1]), null, 10_000))) {
        ClientSessionFactory factory = locator.createSessionFactory();
        assertThatThrownBy(
                () -> Transport.session(factory, "ACTIVEMQ.CLUSTER.ADMIN.USER", "CHANGE ME!!"))
            .isInstanceOf(ActiveMQSecurityException.class);
        try (ClientSession session = Transport.session(factory, Transport.NODE_USER, "")) {
          assertThatThrownBy(() -> session.createConsumer(Transport.HUB))
              .isInstanceOf(ActiveMQSecurityException.class);
          assertThatThrownBy(
                  () -> session.createQueue(QueueConfiguration.of("mine").setDurable(true)))
              .isInstanceOf(ActiveMQSecurityException.class);
        }
      }
    }
  }
}
