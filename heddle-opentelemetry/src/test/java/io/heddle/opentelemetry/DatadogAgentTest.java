package io.heddle.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datadog's real agent, before and after Heddle's. Its own span, which the program sees through
 * OpenTelemetry's API, follows goroutines.
 */
@Tag("full")
class DatadogAgentTest {
  @TempDir private Path dir;

  @Test
  void spanArrivesWithTheAgentBeforeHeddles() throws Exception {
    check("-javaagent:" + datadog(), "-javaagent:" + heddle() + "=adopt");
  }

  @Test
  void spanArrivesWithTheAgentAfterHeddles() throws Exception {
    check("-javaagent:" + heddle() + "=adopt", "-javaagent:" + datadog());
  }

  private void check(String... flags) throws Exception {
    String classPath =
        Stream.of(
                Scheduler.class,
                DatadogAgentTest.class,
                OpenTelemetryCarry.class,
                Span.class,
                Context.class,
                ComponentLoader.class)
            .map(ChildJvm::placeOf)
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    ChildJvm.Result result =
        ChildJvm.bare()
            .within(Duration.ofSeconds(150))
            .flags(flags)
            .flags(
                "-Ddd.trace.otel.enabled=true",
                "-Ddd.telemetry.enabled=false",
                "-Ddd.remote_config.enabled=false",
                "-Ddd.trace.startup.logs=false",
                "-Ddatadog.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                classPath)
            .run(AgentTest.Program.class, "new objects");
    assertThat(result.out()).as(result.err()).contains("11 ways, none lost");
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  private static Path datadog() {
    Path agent = Path.of(System.getProperty("test.agents"), "dd-java-agent.jar");
    assertThat(Files.isRegularFile(agent)).as("copied by Maven in the tier full").isTrue();
    return agent;
  }

  private Path heddle() throws Exception {
    return HeddleJar.agentIn(dir);
  }
}
