package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.RemoteChan;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters of remote channels. */
@Timeout(30)
class ClusterMetricsTest {
  private static double gauge(MeterRegistry registry, String name, String channel) {
    return registry.get(name).tag("channel", channel).gauge().value();
  }

  @Test
  @SuppressWarnings("try") // closes the metrics early
  void channelsOfNowAndLaterHaveMeters() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Cluster cluster = Cluster.open("local:metrics");
        ClusterMetrics metrics = new ClusterMetrics(cluster)) {
      RemoteChan<String> orders = cluster.chan("orders", String.class).open();
      orders.send("one");
      orders.send("two");
      metrics.bindTo(registry);
      assertThat(gauge(registry, "heddle.cluster.channel.depth", "orders")).isEqualTo(2);
      orders.receive().ack();
      assertThat(
              registry
                  .get("heddle.cluster.channel.acknowledged")
                  .tags("channel", "orders", "cluster", "main", "node", cluster.id())
                  .functionCounter()
                  .count())
          .isEqualTo(1);
      RemoteChan<String> later = cluster.chan("later", String.class).open();
      assertThat(gauge(registry, "heddle.cluster.channel.depth", "later")).isZero();
      assertThat(gauge(registry, "heddle.cluster.channel.lag.seconds", "later")).isZero();
      assertThat(later.length()).isZero();
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }
}
