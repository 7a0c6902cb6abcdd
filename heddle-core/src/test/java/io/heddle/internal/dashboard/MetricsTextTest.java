package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Await;
import io.heddle.Chan;
import io.heddle.FigureTable;
import io.heddle.Go;
import io.heddle.HangGuard;
import io.heddle.Limit;
import io.heddle.Scheduler;
import io.heddle.testkit.PrometheusText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /metrics}: all figures in the text format of Prometheus. */
@HangGuard
class MetricsTextTest {
  private static final String LATENCY = "heddle_sched_latency_seconds";

  private final Scheduler scheduler =
      Scheduler.builder().name("scraped").procs(2).maxThreads(99).uncaught((_, _) -> {}).build();
  private Dashboard dashboard;

  @BeforeEach
  void open() throws Exception {
    dashboard = Dashboard.open(new Address("", 0), "secret", RefreshRate.USUAL, null);
  }

  @AfterEach
  @HangGuard
  void close() {
    dashboard.close();
    scheduler.shutdownNow();
  }

  @Test
  void figuresAreThoseOfTheScheduler() throws Exception {
    Chan<String> never = Chan.make();
    scheduler.run(
        () -> {
          for (int i = 0; i < 6_400; i++) {
            Go.gosched();
          }
          for (int i = 0; i < 5; i++) {
            Go.go(never::receive);
          }
        });
    Await.until(() -> scheduler.goroutineCounts().channel() == 5);
    PrometheusText text = scrape();
    assertThat(of(text, "heddle_goroutines", "state", "waiting")).isEqualTo(5);
    assertThat(of(text, "heddle_goroutines_waiting", "reason", "channel")).isEqualTo(5);
    assertThat(of(text, "heddle_goroutines_waiting", "reason", "lock")).isZero();
    assertThat(of(text, "heddle_goroutines_started_total")).isEqualTo(6);
    assertThat(of(text, "heddle_goroutines_finished_total")).isEqualTo(1);
    assertThat(of(text, "heddle_threads_max")).isEqualTo(99);
    assertThat(
            of(text, "heddle_procs", "state", "idle") + of(text, "heddle_procs", "state", "busy"))
        .isEqualTo(2);
    assertThat(of(text, "heddle_switches_total")).isGreaterThan(6_400);
    assertThat(text.values("heddle_handoffs_total", "cause"))
        .containsExactly("computing", "marked", "native", "pinned");
    assertThat(of(text, LATENCY + "_count")).isBetween(80.0, 1.0 * scheduler.latency().samples());
    assertThat(of(text, LATENCY + "_sum")).isPositive();
    assertThat(text.values(LATENCY + "_bucket", "le")).contains("0.000001", "0.1", "10", "+Inf");
    assertThat(text.types()).containsEntry(LATENCY, "histogram");
  }

  @Test
  void tablesOfOtherLibrariesAreScraped() throws Exception {
    FigureTable.Builder builder =
        FigureTable.of("Pools", "pool")
            .gauge("idle", "shop_pool_idle", "Connections that are free.")
            .counter("taken", "shop_pool_taken_total", "Connections taken.")
            .gauge("on the page", "", "Not a metric.");
    try (FigureTable _ = builder.show(rows -> rows.add(List.of("a \"b\""), 3, 1e9, 7));
        FigureTable _ = builder.show(rows -> rows.add(List.of("c"), Double.NaN, 5, 7));
        FigureTable _ =
            builder.show(
                _ -> {
                  throw new IllegalStateException("must not break the others");
                })) {
      PrometheusText text = scrape();
      assertThat(text.value("shop_pool_idle", "pool", "a \"b\"")).isEqualTo(3);
      assertThat(text.value("shop_pool_taken_total", "pool", "a \"b\"")).isEqualTo(1e9);
      assertThat(text.value("shop_pool_taken_total", "pool", "c")).isEqualTo(5);
      assertThat(text.values("shop_pool_idle", "pool")).containsExactly("a \"b\"");
      assertThat(text.types())
          .containsEntry("shop_pool_idle", "gauge")
          .containsEntry("shop_pool_taken_total", "counter");
    }
    assertThat(scrape().types()).doesNotContainKey("shop_pool_idle");
  }

  @Test
  void wrongTablesAreRefusedWithTheReason() {
    assertThatThrownBy(() -> FigureTable.of("Pools", "Pool"))
        .hasMessage("label \"Pool\": allowed are lower-case letters, digits and _");
    assertThatThrownBy(() -> FigureTable.of("Pools").gauge("idle", "shop.idle", ""))
        .hasMessage("metric \"shop.idle\": allowed are lower-case letters, digits and _");
    List<String> refusals = new ArrayList<>();
    try (FigureTable _ =
        FigureTable.of("Pools", "pool")
            .gauge("idle", "shop_pool_idle", "Connections that are free.")
            .show(
                rows -> {
                  try {
                    rows.add(List.of(), 3);
                  } catch (IllegalArgumentException e) {
                    refusals.add(e.getMessage());
                  }
                })) {
      assertThat(MetricsText.write()).doesNotContain("shop_pool_idle");
    }
    assertThat(refusals).containsExactly("a row of 0 labels and 1 figures: allowed are 1 and 1");
  }

  @Test
  void limitsAreCountedByName() throws Exception {
    assertThat(scrape().types()).doesNotContainKey("heddle_limit_max");
    try (ExecutorService executor = scheduler.executor(Limit.callerRuns(2).named("a \"b\""))) {
      executor.submit(() -> {}).get();
      PrometheusText text = scrape();
      assertThat(of(text, "heddle_limit_max", "limit", "a \"b\"")).isEqualTo(2);
      assertThat(of(text, "heddle_limit_started_total", "limit", "a \"b\"")).isEqualTo(1);
      assertThat(of(text, "heddle_limit_caller_runs_total", "limit", "a \"b\"")).isZero();
      assertThat(text.types()).containsEntry("heddle_limit_waiting", "gauge");
    }
  }

  @Test
  void schedulersOfOneNameAreToldApart() throws Exception {
    String name = "a \"quoted\" \\ name";
    try (Scheduler first = Scheduler.builder().name(name).procs(1).build();
        Scheduler second = Scheduler.builder().name(name).procs(3).build()) {
      assertThat(first).isNotSameAs(second);
      PrometheusText text = scrape();
      assertThat(text.values("heddle_procs", "scheduler")).contains("scraped", name, name + "#2");
      assertThat(text.value("heddle_procs", "scheduler", name + "#2", "state", "idle"))
          .isEqualTo(3);
    }
  }

  @Test
  void formatIsNamedAndTheTokenRequired() throws Exception {
    int port = dashboard.port();
    RawHttpClient.Reply reply =
        RawHttpClient.get(port, "/metrics", "Authorization", "Bearer secret");
    assertThat(reply.headers().get("content-type"))
        .isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(RawHttpClient.get(port, "/metrics?token=secret").status()).isEqualTo(200);
    assertThat(RawHttpClient.get(port, "/metrics").status()).isEqualTo(401);
    for (String wrong : new String[] {"Bearer secre", "Bearer ", "Basic secret", "secret", ""}) {
      assertThat(RawHttpClient.get(port, "/metrics", "Authorization", wrong).status())
          .as(wrong)
          .isEqualTo(401);
    }
    assertThat(dashboard.wasSeen()).as("the page").isFalse();
  }

  /** The parser of the tests finds faults, or the tests above would show nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x 1\n",
        "# TYPE x gauge\nx 1",
        "# TYPE x gauge\nx 1\nx 2\n",
        "# TYPE x counter\nx 1\n",
        "# TYPE x gauge\nx{a=\"1\"} 1\n# TYPE y gauge\ny 1\n# HELP x again\n",
        "# TYPE x gauge\nx{a=\"1} 1\n",
        "# TYPE x gauge\nx{a=\"1\" b=\"2\"} 1\n",
        "# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
        "# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n",
      })
  void wrongTextIsRefused(String text) {
    assertThatThrownBy(() -> PrometheusText.parse(text)).isInstanceOf(AssertionError.class);
  }

  private PrometheusText scrape() throws Exception {
    RawHttpClient.Reply reply =
        RawHttpClient.get(dashboard.port(), "/metrics", "Authorization", "Bearer secret");
    assertThat(reply.status()).isEqualTo(200);
    return PrometheusText.parse(reply.body());
  }

  private static double of(PrometheusText text, String name, String... labels) {
    String[] all = new String[labels.length + 2];
    all[0] = "scheduler";
    all[1] = "scraped";
    System.arraycopy(labels, 0, all, 2, labels.length);
    return text.value(name, all);
  }
}
