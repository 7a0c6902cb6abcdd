package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.heddle.testkit.PrometheusText;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The results of watch mode as meters. */
@Timeout(100)
class WatchMetricsTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path dir;

  @Test
  void metersAppearWithTheBeanAndShowItsFigures() throws Exception {
    try (HeddleMetrics metrics = new HeddleMetrics()) {
      metrics.bindTo(registry);
      assertThat(registry.find("heddle.watch.starvations").functionCounter()).isNull();
      try (FixedWatch _ = FixedWatch.register()) {
        assertThat(counter("heddle.watch.starvations")).isEqualTo(7);
        assertThat(counter("heddle.watch.starved.seconds")).isEqualTo(2.5);
        assertThat(counter("heddle.watch.held.seconds", "cause", "computing")).isEqualTo(1.5);
        assertThat(counter("heddle.watch.held.seconds", "cause", "pinned")).isEqualTo(0.75);
        assertThat(counter("heddle.watch.held.seconds", "cause", "native")).isEqualTo(0.25);
        assertThat(counter("heddle.watch.wait.histogram", "le", "0.1")).isEqualTo(90);
        assertThat(registry.get("heddle.watch.queued.max").gauge().value()).isEqualTo(57);
        var waits = registry.get("heddle.watch.wait").functionTimer();
        assertThat(waits.count()).isEqualTo(100);
        assertThat(waits.totalTime(TimeUnit.SECONDS)).isEqualTo(9);
      }
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void binderFindsTheBeanThatIsThere() throws Exception {
    try (FixedWatch _ = FixedWatch.register();
        HeddleMetrics metrics = new HeddleMetrics()) {
      metrics.bindTo(registry);
      assertThat(counter("heddle.watch.starvations")).isEqualTo(7);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void closedBinderAddsNoMeter() throws Exception {
    HeddleMetrics metrics = new HeddleMetrics();
    metrics.bindTo(registry);
    metrics.close();
    try (FixedWatch _ = FixedWatch.register()) {
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  /** The agent itself, in a JVM with one carrier and a thread that holds it. */
  @Test
  void agentsFiguresArriveAtPrometheus() throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-javaagent:" + jar + "=watch=5ms")
            .flags("-Djdk.virtualThreadScheduler.parallelism=1")
            .flags("-Djdk.virtualThreadScheduler.maxPoolSize=1")
            .flags("-cp", jar + File.pathSeparator + System.getProperty("java.class.path"))
            .run(Program.class);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    PrometheusText text = PrometheusText.parse(result.out());
    assertThat(text.value("heddle_watch_starvations_total")).isPositive();
    assertThat(text.value("heddle_watch_starved_seconds_total")).isPositive();
    assertThat(text.value("heddle_watch_held_seconds_total", "cause", "computing")).isPositive();
    assertThat(text.values("heddle_watch_wait_histogram_total", "le"))
        .hasSize(23)
        .contains("0.0001", "+Inf");
    assertThat(text.value("heddle_watch_wait_histogram_total", "le", "+Inf")).isPositive();
    assertThat(text.value("heddle_watch_wait_seconds_count")).isPositive();
  }

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  /** Holds the carrier until the meters show it, and prints them. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      new HeddleMetrics().bindTo(registry);
      AtomicBoolean isSeen = new AtomicBoolean();
      Thread hog =
          Thread.startVirtualThread(
              () -> {
                while (!isSeen.get()) {
                  Thread.onSpinWait();
                }
              });
      while (held(registry) == 0) {
        Thread.yield();
      }
      isSeen.set(true);
      hog.join();
      while (registry.get("heddle.watch.starvations").functionCounter().count() == 0) {
        Thread.yield();
      }
      System.out.println(registry.scrape());
    }

    private static double held(MeterRegistry registry) {
      var held =
          registry.find("heddle.watch.held.seconds").tag("cause", "computing").functionCounter();
      return held == null ? 0 : held.count();
    }
  }
}
