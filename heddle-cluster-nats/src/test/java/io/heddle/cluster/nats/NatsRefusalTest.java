package io.heddle.cluster.nats;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot be done is told with the engine, its address, and what is allowed. */
@Timeout(60)
class NatsRefusalTest {
  private static final String PASSWORD = "correct-horse";

  private static LogSpec spec(int replicas) {
    return new LogSpec("orders", 10, 1_000, Storage.ANY, replicas, Duration.ofSeconds(2));
  }

  private static Engine open(String uri, Map<String, String> settings) throws Exception {
    return NatsEngineTest.connect(uri, "refusals", "a", settings);
  }

  @Test
  void unreachableServersAreAllNamed() throws Exception {
    String uri =
        "nats://127.0.0.1:" + NatsServer.freePort() + ",localhost:" + NatsServer.freePort();
    EngineConfig config = new EngineConfig(uri, "c", "a", Duration.ofMillis(300), null, Map.of());
    assertThatThrownBy(() -> new NatsEngineProvider().open(config))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("nats")
        .hasMessageContaining("300 ms")
        .hasMessageContaining(uri.split(",")[0])
        .hasMessageContaining(uri.split(",")[1]);
  }

  @Test
  void uriThatIsNoServerIsRefusedWithoutItsPassword() {
    for (String uri : List.of("nats://", "nats://a b", "nats://u:secret@h:x/path", "nats:a")) {
      assertThatThrownBy(() -> open(uri, Map.of()))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("nats://host:port")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void settingsThatDoNotFitAreRefusedByName() {
    record Case(Map<String, String> settings, String named) {}
    List<Case> cases =
        List.of(
            new Case(Map.of("pasword", "x"), "pasword"),
            new Case(Map.of("user", "x"), "password"),
            new Case(Map.of("token", "x", "credentials", "/y"), "only one"),
            new Case(Map.of("credentials", "/no/such.creds"), "/no/such.creds"),
            new Case(Map.of("replicas", "many"), "many"));
    for (Case each : cases) {
      assertThatThrownBy(() -> open("nats://127.0.0.1:1", each.settings()))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining(each.named())
          .hasMessageContaining("127.0.0.1:1");
    }
  }

  @Test
  void wrongCredentialsAreRefusedAndRightOnesAreNot() throws Exception {
    try (NatsServer server = NatsServer.start("--user", "heddle", "--pass", PASSWORD)) {
      Map<String, String> wrong = Map.of("user", "heddle", "password", "x");
      assertThatThrownBy(() -> open(server.uri(), wrong))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("refuses the credentials")
          .hasMessageContaining(server.uri());
      open(server.uri(), Map.of("user", "heddle", "password", PASSWORD)).close();
      String uri = server.uri().replace("nats://", "nats://heddle:" + PASSWORD + "@");
      try (Engine engine = open(uri, Map.of())) {
        assertThat(engine.address()).isEqualTo(server.uri());
      }
    }
  }

  @Test
  void serverWithoutJetStreamIsRefused() throws Exception {
    try (NatsServer server = NatsServer.startWith(List.of())) {
      assertThatThrownBy(() -> open(server.uri(), Map.of()))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("-js")
          .hasMessageContaining(server.uri());
    }
  }

  @Test
  void streamThatWouldLoseFramesIsRefused() throws Exception {
    try (NatsServer server = NatsServer.start();
        Engine engine = open(server.uri(), Map.of());
        Connection raw = Nats.connect(server.uri())) {
      NatsNames names = NatsNames.of("refusals");
      raw.jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name(names.logStream("orders"))
                  .subjects(names.logSubject("orders"))
                  .maxMessages(10)
                  .maxAge(Duration.ofMinutes(1))
                  .duplicateWindow(Duration.ofSeconds(1))
                  .build());
      assertThatThrownBy(() -> engine.log(spec(1)))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("orders")
          .hasMessageContaining("retention")
          .hasMessageContaining("discard")
          .hasMessageContaining("max_age")
          .hasMessageContaining("duplicate_window")
          .hasMessageContaining(server.uri());
    }
  }

  @Test
  void replicasAreRefusedByOneServerAndADeletedLogIsGone() throws Exception {
    try (NatsServer server = NatsServer.start();
        Engine engine = open(server.uri(), Map.of())) {
      assertThatThrownBy(() -> engine.log(spec(3)))
          .isInstanceOf(ClusterException.class)
          .isNotInstanceOf(AwayException.class)
          .hasMessageContaining("orders")
          .hasMessageContaining("replicas");
      Log log = engine.log(spec(1));
      engine.delete("orders");
      assertThatThrownBy(() -> done(log.publish(bytes("x"), "x")))
          .rootCause()
          .isInstanceOf(ClusterException.class)
          .isNotInstanceOf(AwayException.class)
          .hasMessageContaining("orders is gone");
      assertThatThrownBy(log::state).hasMessageContaining("orders");
    }
  }

  @Test
  void namesAreEscapedWithoutCollisions() {
    NatsNames names = NatsNames.of("Shop");
    assertThat(names.logStream("Orders.dead_1-x"))
        .isEqualTo("heddle-log-_shop_=_orders_-dead__1-x");
    assertThatThrownBy(() -> names.keySubject("a.*.b")).hasMessageContaining("a.*.b");
    assertThatThrownBy(() -> names.keySubject("a..b")).hasMessageContaining("a..b");
    assertThatThrownBy(() -> names.logStream("A".repeat(128))).hasMessageContaining("too long");
  }
}
