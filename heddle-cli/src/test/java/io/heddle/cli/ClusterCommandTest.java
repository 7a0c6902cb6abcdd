package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code heddle cluster status}, with a cluster inside of this process, and the demo. */
class ClusterCommandTest {
  private static final String URL = "local:command";

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void statusShowsMembersAndChannelsAsTextAndAsJson() throws Exception {
    ClusterOptions options = ClusterOptions.defaults().cluster("shop").node("store");
    try (Cluster cluster = Cluster.open(URL, options)) {
      RemoteChan<String> orders = cluster.chan("orders", String.class).open();
      orders.send("one");
      orders.send("two");
      orders.receive().reject("not an order");
      Delivery<String> held = orders.receive();
      Run text = Run.of("cluster", "status", URL, "--cluster", "shop", "--interval", "100");
      assertThat(text.err()).isEmpty();
      assertThat(text.exitCode()).isZero();
      assertThat(text.out())
          .contains("cluster shop on local")
          .containsPattern("store-[0-9a-z]+ .*" + ProcessHandle.current().pid())
          .containsPattern("orders +1 +1 +[0-9.]+s +0 +1 +0 +0\n");
      assertThat(text.out().lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));

      Run json = Run.of("cluster", "status", URL, "--cluster=shop", "--interval=100", "--json");
      assertThat(json.err()).isEmpty();
      assertThat(json.out())
          .startsWith("{\"cluster\":\"shop\",\"engine\":\"local\"")
          .contains("\"name\":\"store\"", "\"answered\":true")
          .contains("\"name\":\"orders\",\"capacity\":1000", "\"stored\":1", "\"buried\":1");
      held.ack();
      assertThat(cluster.members()).as("a look makes no member").hasSize(1);
    }
  }

  @Test
  void wrongUseIsNamed() {
    Run action = Run.of("cluster", "show", URL);
    assertThat(action.exitCode()).isEqualTo(2);
    assertThat(action.err()).contains("there is no argument 'show'. Allowed is 'status'");
    Run name = Run.of("cluster", "status", URL, "--cluster", "a b");
    assertThat(name.exitCode()).isEqualTo(2);
    assertThat(name.err()).contains("--cluster: cluster \"a b\"");
    Run missing = Run.of("cluster", "status");
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("URL");
    Run engine = Run.of("cluster", "status", "kafka://host");
    assertThat(engine.exitCode()).isEqualTo(1);
    assertThat(engine.err()).contains("no engine for \"kafka://host\"", "nats:", "local:");
    assertThat(Run.of("demo", "--engine", URL).err()).contains("belongs to 'heddle demo cluster'");
    assertThat(Run.of("demo", "cluster", "--procs", "2").err()).contains("do not belong to");
  }

  @Test
  @Tag("full")
  @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void demoKillsAWorkerAndLosesNothing() {
    Run run = Run.of("demo", "cluster", "--quick");
    assertThat(run.err()).isEmpty();
    assumeFalse(run.out().contains("go install"), "no nats-server on the PATH");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("kill -9", "done by worker-a", "done by worker-b")
        .containsPattern("lost +0\n");
    assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(82));
  }
}
