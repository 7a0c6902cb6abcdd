package io.heddle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import io.heddle.micrometer.HeddleMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The endpoint, the health, the meters, the metadata of the settings, and the default for virtual
 * threads.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OperatorsViewTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  HeddleAutoConfiguration.class, HeddleActuatorAutoConfiguration.class))
          .withPropertyValues("heddle.scheduler.name=seen");

  @Test
  void endpointShowsGoroutinesGroupedOrEach() {
    application
        .withPropertyValues("management.endpoints.web.exposure.include=goroutines")
        .run(
            context -> {
              Scheduler scheduler = context.getBean(Scheduler.class);
              CountDownLatch end = new CountDownLatch(1);
              for (int i = 0; i < 3; i++) {
                scheduler.go(end::await);
              }
              GoroutinesEndpoint endpoint = context.getBean(GoroutinesEndpoint.class);
              while (awaiting(endpoint.dump(false)) < 3 || awaiting(endpoint.dump(true)) != 1) {
                Thread.onSpinWait(); // until all three wait, and so are one group
              }
              assertThat(endpoint.dump(null)).isEqualTo(endpoint.dump(true));
              end.countDown();
            });
  }

  private static int awaiting(String dump) {
    return dump.split("CountDownLatch.await", -1).length - 1;
  }

  @Test
  void endpointIsThereOnlyIfItIsExposed() {
    application.run(context -> assertThat(context).doesNotHaveBean(GoroutinesEndpoint.class));
  }

  @Test
  void healthIsUpWithFigures() {
    application.run(
        context -> {
          Health health = context.getBean(HealthIndicator.class).health();
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails())
              .containsKeys("scheduler", "threads", "runnable", "startedAfterMicros");
        });
    application
        .withPropertyValues("management.health.heddle.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void healthIsDownIfNoGoroutineStarts() throws Exception {
    AtomicBoolean end = new AtomicBoolean();
    try (Scheduler busy =
        Scheduler.builder().name("busy").procs(1).timeSlice(Duration.ofHours(1)).build()) {
      CountDownLatch begun = new CountDownLatch(1);
      busy.go(
          () -> {
            begun.countDown();
            while (!end.get()) {
              Thread.onSpinWait();
            }
          });
      begun.await();
      Health health = new SchedulerHealthIndicator(busy, Duration.ofMillis(50)).health();
      end.set(true);

      assertThat(health.getStatus()).isEqualTo(Status.DOWN);
      assertThat(health.getDetails().get("reason").toString()).contains("did not start");
    }
  }

  @Test
  void schedulersHaveMeters() {
    ApplicationContextRunner measured =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    HeddleAutoConfiguration.class,
                    HeddleMetricsAutoConfiguration.class))
            .withPropertyValues("heddle.scheduler.name=measured", "heddle.scheduler.procs=3");
    measured.run(
        context -> {
          assertThat(context).hasSingleBean(HeddleMetrics.class);
          assertThat(context.getBean(Scheduler.class).name()).isEqualTo("measured");
          assertThat(gauges(context, "heddle.procs")).hasSize(2);
          double procs = gauges(context, "heddle.procs").stream().mapToDouble(Gauge::value).sum();
          assertThat(procs).isEqualTo(3);
        });
    measured
        .withPropertyValues("heddle.metrics.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HeddleMetrics.class));
    measured
        .withPropertyValues("heddle.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HeddleMetrics.class));
    measured
        .withBean(HeddleMetrics.class, () -> new HeddleMetrics(Tags.of("team", "shop")))
        .run(
            context -> {
              assertThat(context.getBean(Scheduler.class).name()).isEqualTo("measured");
              assertThat(gauges(context, "heddle.threads.max"))
                  .as("of the application's bean alone")
                  .singleElement()
                  .matches(meter -> "shop".equals(meter.getId().getTag("team")));
            });
    measured
        .withClassLoader(new FilteredClassLoader("io.heddle.micrometer"))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("heddleMetrics"));
  }

  private static Collection<Gauge> gauges(ApplicationContext context, String name) {
    return context.getBean(MeterRegistry.class).get(name).tag("scheduler", "measured").gauges();
  }

  @Test
  void editorsFindTheSettings() throws Exception {
    String file = "/META-INF/spring-configuration-metadata.json";
    try (InputStream in = HeddleProperties.class.getResourceAsStream(file)) {
      assertThat(in).isNotNull();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains(
              "\"name\": \"heddle.enabled\"",
              "\"name\": \"heddle.shutdown-timeout\"",
              "\"name\": \"heddle.scheduler.time-slice\"",
              "\"name\": \"heddle.kafka.enabled\"",
              "\"name\": \"heddle.metrics.enabled\"",
              "Whether the application runs on goroutines.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nothing.at.all, x, true",
    "HEDDLE, off, true",
    "heddle.enabled, false,",
    "spring.threads.virtual.enabled, false, false"
  })
  void virtualThreadsAreTheDefaultOfAnApplicationWithTheStarter(
      String name, String value, String expected) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(name, value)));

    new VirtualThreadsByDefault().postProcessEnvironment(environment, new SpringApplication());

    assertThat(environment.getProperty("spring.threads.virtual.enabled")).isEqualTo(expected);
  }
}
