package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Limit;
import io.heddle.Scheduler;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.heddle.testkit.PrometheusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real agents of OpenTelemetry and Prometheus export Heddle's figures, and those of watch mode,
 * with our rule files.
 */
@Tag("full")
@Timeout(200)
class AgentRulesTest {
  private static final Path RULES = Path.of("..", "observability");

  @TempDir private Path dir;

  @Test
  void openTelemetry() throws Exception {
    int port = Scrapes.freePort();
    PrometheusText text =
        check(
            port,
            "-javaagent:" + agent("opentelemetry-javaagent.jar"),
            "-Dotel.jmx.config=" + RULES.resolve("otel-jmx.yaml"),
            "-Dotel.jmx.discovery.delay=500",
            "-Dotel.traces.exporter=none",
            "-Dotel.logs.exporter=none",
            "-Dotel.metrics.exporter=prometheus",
            "-Dotel.exporter.prometheus.port=" + port);
    assertThat(text.value("heddle_limit_max", "scheduler", "ruled")).as("the sum").isEqualTo(12);
  }

  @Test
  void jmxExporter() throws Exception {
    int port = Scrapes.freePort();
    PrometheusText text =
        check(
            port,
            "-javaagent:"
                + agent("jmx_prometheus_javaagent.jar")
                + "="
                + port
                + ":"
                + RULES.resolve("jmx-exporter.yaml"));
    assertThat(text.values("heddle_sched_latency_histogram_total", "le")).hasSize(23);
    assertThat(text.values("heddle_limit_max", "limit")).containsExactly("jobs", "reports");
    assertThat(text.value("heddle_limit_max", "scheduler", "ruled", "limit", "jobs")).isEqualTo(5);
  }

  private PrometheusText check(int port, String... flags) throws Exception {
    ChildJvm child =
        ChildJvm.bare()
            .outputTo(dir)
            .flags(flags)
            .flags("-javaagent:" + HeddleJar.agentIn(dir) + "=watch")
            .flags("-cp", ChildJvm.classes() + ":" + ChildJvm.placeOf(Program.class));
    Process process = child.start(Program.class);
    try {
      PrometheusText text = await(process, port);
      assertThat(text.value("heddle_goroutines", "scheduler", "ruled", "state", "waiting"))
          .isEqualTo(3);
      assertThat(text.value("heddle_goroutines_waiting", "scheduler", "ruled", "reason", "event"))
          .isEqualTo(3);
      assertThat(text.value("heddle_goroutines_started_total", "scheduler", "ruled"))
          .as("with the probe of overload control")
          .isEqualTo(4);
      assertThat(text.value("heddle_threads_max", "scheduler", "ruled")).isEqualTo(77);
      assertThat(text.value("heddle_procs", "scheduler", "ruled", "state", "idle")).isEqualTo(2);
      assertThat(text.values("heddle_sched_latency_histogram_total", "le"))
          .contains("0.0001", "0.1", "+Inf");
      assertThat(text.values("heddle_handoffs_total", "cause"))
          .containsExactly("computing", "marked", "native", "pinned");
      assertThat(text.value("heddle_overload_target_seconds", "scheduler", "ruled")).isEqualTo(60);
      assertThat(text.value("heddle_overload_admitted_total", "scheduler", "ruled")).isEqualTo(1);
      assertThat(text.value("heddle_overload_shed_total", "scheduler", "ruled")).isZero();
      assertThat(text.names())
          .contains(
              "heddle_overload_delay_seconds",
              "heddle_limit_running",
              "heddle_limit_waiting",
              "heddle_limit_started_total",
              "heddle_limit_waited_total",
              "heddle_limit_rejected_total",
              "heddle_limit_caller_runs_total",
              "heddle_container_cpus",
              "heddle_container_throttled_seconds_total");
      assertThat(text.value("heddle_procs", "scheduler", "twin", "id", "2", "state", "idle"))
          .as("a second scheduler of the name")
          .isEqualTo(5);
      assertThat(text.value("heddle_watch_starvations_total")).isNotNegative();
      assertThat(text.value("heddle_watch_starved_seconds_total")).isNotNegative();
      assertThat(text.values("heddle_watch_held_seconds_total", "cause"))
          .containsExactly("computing", "native", "pinned");
      assertThat(text.value("heddle_watch_wait_histogram_total", "le", "+Inf")).isPositive();
      return text;
    } catch (AssertionError e) {
      e.addSuppressed(new AssertionError(child.err()));
      throw e;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Waits until the agent exports the bean, which appears some seconds after the start. */
  private static PrometheusText await(Process process, int port) throws InterruptedException {
    for (; ; ) {
      assertThat(process.isAlive()).isTrue();
      try {
        PrometheusText text = Scrapes.get(port);
        if (text.values("heddle_procs", "id").contains("2")
            && text.values("heddle_sched_latency_histogram_total", "id").contains("2")
            && text.names().contains("heddle_watch_wait_histogram_total")) {
          return text;
        }
      } catch (IOException e) {
        // not listening yet
      }
      Thread.sleep(Duration.ofMillis(200)); // between two requests, so that the child gets the CPU
    }
  }

  private static Path agent(String name) {
    Path agent = Path.of(System.getProperty("test.agents"), name);
    assertThat(Files.isRegularFile(agent)).as("copied by Maven in the tier full").isTrue();
    return agent;
  }

  /** A scheduler with three goroutines that wait, and two schedulers of one name. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      Scheduler first =
          Scheduler.builder()
              .name("ruled")
              .procs(2)
              .maxThreads(77)
              .overload(Duration.ofMinutes(1))
              .build();
      first.admit();
      ExecutorService jobs = first.executor(Limit.rejecting(5).named("jobs"));
      ExecutorService reports = first.executor(Limit.blocking(7).named("reports"));
      Scheduler twin = Scheduler.builder().name("twin").procs(1).build();
      Scheduler second = Scheduler.builder().name("twin").procs(5).build();
      for (int i = 0; i < 3; i++) {
        first.go(() -> new CountDownLatch(1).await());
      }
      Thread.sleep(Duration.ofMinutes(5)); // until the test ends it
      jobs.close();
      reports.close();
      twin.close();
      second.close();
    }
  }
}
