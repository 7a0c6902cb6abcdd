package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Limit;
import io.heddle.Scheduler;
import io.heddle.testkit.PrometheusText;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters of all schedulers in a registry. */
@Timeout(30)
class HeddleMetricsTest {
  private final Scheduler scheduler =
      Scheduler.builder().name("orders").procs(2).maxThreads(99).uncaught((_, _) -> {}).build();
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final HeddleMetrics metrics = new HeddleMetrics();

  @AfterEach
  void close() {
    metrics.close();
    scheduler.shutdownNow();
  }

  @Test
  void metersShowTheFiguresOfTheScheduler() throws Exception {
    metrics.bindTo(registry);
    Chan<String> never = Chan.make();
    scheduler.run(
        () -> {
          for (int i = 0; i < 6_400; i++) {
            Go.gosched();
          }
          for (int i = 0; i < 3; i++) {
            Go.go(never::receive);
          }
        });
    await(() -> gauge("heddle.goroutines.waiting", "reason", "channel") == 3);
    assertThat(gauge("heddle.goroutines", "state", "waiting")).isEqualTo(3);
    assertThat(gauge("heddle.threads.max")).isEqualTo(99);
    assertThat(gauge("heddle.procs", "state", "idle") + gauge("heddle.procs", "state", "busy"))
        .isEqualTo(2);
    assertThat(counter("heddle.goroutines.started")).isEqualTo(4);
    assertThat(counter("heddle.goroutines.finished")).isEqualTo(1);
    await(() -> counter("heddle.switches") > 6_400); // an M counts them when its row of runs ends
    assertThat(counter("heddle.handoffs", "cause", "pinned")).isNotNegative();
    FunctionTimer latency =
        registry.get("heddle.sched.latency").tag("scheduler", "orders").functionTimer();
    assertThat(latency.count()).isBetween(80.0, 1.0 * scheduler.latency().samples());
    assertThat(latency.totalTime(TimeUnit.NANOSECONDS)).isPositive();
    assertThat(counter("heddle.sched.latency.histogram", "le", "+Inf")).isEqualTo(latency.count());
    assertThat(counter("heddle.sched.latency.histogram", "le", "0.1"))
        .isBetween(1.0, latency.count());
  }

  @Test
  void metersOfALimitAppearWhenItIsMade() throws Exception {
    metrics.bindTo(registry);
    try (ExecutorService executor = scheduler.executor(Limit.rejecting(2).named("reports"))) {
      executor.submit(() -> {}).get();
      await(() -> gauge("heddle.threads.max") == 99 && hasLimit());
      await(() -> counter("heddle.limit.started", "limit", "reports") == 1);
      assertThat(gauge("heddle.limit.max", "limit", "reports")).isEqualTo(2);
      assertThat(counter("heddle.limit.rejected", "limit", "reports")).isZero();
    }
  }

  private boolean hasLimit() {
    return registry.find("heddle.limit.caller.runs").functionCounter() != null;
  }

  @Test
  void laterSchedulersGetMetersAndClosedOnesLoseThem() {
    metrics.bindTo(registry);
    Scheduler later = Scheduler.builder().name("later").procs(1).build();
    Scheduler twin = Scheduler.builder().name("later").procs(3).build();
    assertThat(schedulers()).contains("orders", "later", "later#2");
    assertThat(
            registry
                .get("heddle.procs")
                .tags("scheduler", "later#2", "state", "idle")
                .gauge()
                .value())
        .isEqualTo(3);
    later.close();
    assertThat(schedulers()).contains("orders", "later#2").doesNotContain("later");
    try (Scheduler again = Scheduler.builder().name("later").procs(1).build()) {
      assertThat(again.name()).isEqualTo("later");
      assertThat(schedulers()).contains("later", "later#2");
    }
    twin.close();
    assertThat(schedulers()).contains("orders").doesNotContain("later", "later#2");
  }

  @Test
  void closedBinderLeavesNoMeter() {
    SimpleMeterRegistry second = new SimpleMeterRegistry();
    metrics.bindTo(registry);
    metrics.bindTo(second);
    assertThat(second.getMeters()).hasSameSizeAs(registry.getMeters());
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    assertThat(second.getMeters()).isEmpty();
    Scheduler.builder().name("never").procs(1).build().close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void furtherTagsAreOnEachMeter() {
    try (HeddleMetrics tagged = new HeddleMetrics(Tags.of("region", "eu"))) {
      tagged.bindTo(registry);
      assertThat(registry.getMeters())
          .isNotEmpty()
          .allMatch(meter -> "eu".equals(meter.getId().getTag("region")))
          .allMatch(meter -> meter.getId().getDescription() != null);
    }
  }

  @Test
  void prometheusGetsTheNamesOfTheGuide() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    metrics.bindTo(prometheus);
    PrometheusText text = PrometheusText.parse(prometheus.scrape());
    assertThat(text.names())
        .contains(
            "heddle_goroutines",
            "heddle_goroutines_waiting",
            "heddle_goroutines_started_total",
            "heddle_handoffs_total",
            "heddle_sched_latency_seconds_count",
            "heddle_sched_latency_seconds_sum",
            "heddle_sched_latency_histogram_total");
    assertThat(text.values("heddle_sched_latency_histogram_total", "le"))
        .hasSize(23)
        .contains("0.000001", "10", "+Inf");
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).tag("scheduler", "orders").gauge().value();
  }

  private double counter(String name, String... tags) {
    FunctionCounter counter =
        registry.get(name).tags(tags).tag("scheduler", "orders").functionCounter();
    return counter.count();
  }

  private Set<String> schedulers() {
    Set<String> names = new TreeSet<>();
    for (Meter meter : registry.getMeters()) {
      if (!meter.getId().getName().startsWith("heddle.container.")) {
        names.add(meter.getId().getTag("scheduler"));
      }
    }
    return names;
  }

  private static void await(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.yield();
    }
  }
}
