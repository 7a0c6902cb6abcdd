package io.heddle.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenTelemetry's real agent, before and after Heddle's: its span follows goroutines. */
@Tag("full")
class AgentTest {
  @TempDir private Path dir;

  @Test
  void spanArrivesWithTheAgentBeforeHeddles() throws Exception {
    check("-javaagent:" + openTelemetry(), "-javaagent:" + heddle() + "=adopt");
  }

  @Test
  void spanArrivesWithTheAgentAfterHeddles() throws Exception {
    check("-javaagent:" + heddle() + "=adopt", "-javaagent:" + openTelemetry());
  }

  @Test
  void spanArrivesWithTheAgentAndTheLibraryAlone() throws Exception {
    check("-javaagent:" + openTelemetry(), ChildJvm.OPENS);
  }

  /** What the other tests show is not the doing of the agent. */
  @Test
  void agentWithoutTheAdapterLosesTheSpan() throws Exception {
    String out =
        run(
                classPath(Scheduler.class, AgentTest.class),
                "-javaagent:" + openTelemetry(),
                ChildJvm.OPENS)
            .out();
    assertThat(out).contains("11 ways, [", "Go.go,", "Timer.schedule,", "threadFactory");
  }

  private void check(String... flags) throws Exception {
    ChildJvm.Result result =
        run(classPath(Scheduler.class, AgentTest.class, OpenTelemetryCarry.class), flags);
    assertThat(result.out()).as(result.err()).contains("11 ways, none lost");
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  private ChildJvm.Result run(String classPath, String... flags) throws Exception {
    return ChildJvm.bare()
        .within(Duration.ofSeconds(100))
        .flags(flags)
        .flags(
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none",
            "-cp",
            classPath)
        .run(Program.class);
  }

  private static Path openTelemetry() {
    Path agent = Path.of(System.getProperty("test.agents"), "opentelemetry-javaagent.jar");
    assertThat(Files.isRegularFile(agent)).as("copied by Maven in the tier full").isTrue();
    return agent;
  }

  private Path heddle() throws Exception {
    return HeddleJar.agentIn(dir);
  }

  /** The places of {@code types}, and of OpenTelemetry's API. */
  private static String classPath(Class<?>... types) {
    return Stream.concat(
            Stream.of(types), Stream.of(Span.class, Context.class, ComponentLoader.class))
        .map(ChildJvm::placeOf)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Starts goroutines in all ways under a span of the agent. With an argument, the agent's API
   * makes a new object for each look at the context, so that none is the root.
   */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      Tracer tracer = GlobalOpenTelemetry.getTracer("test");
      Span span = tracer.spanBuilder("request").startSpan();
      if (!span.getSpanContext().isValid()) {
        throw new IllegalStateException("the agent does not work: " + span);
      }
      List<String> lost = new ArrayList<>();
      List<String> ways = new ArrayList<>();
      try (Scope _ = span.makeCurrent()) {
        Ways.go(
            (way, found) -> {
              ways.add(way);
              if (!idsOf(found).equals(idsOf(span.getSpanContext()))) {
                lost.add(way);
              }
            });
      }
      boolean isRoot = args.length > 0 || Context.current() == Context.root();
      if (!isRoot || Span.current().getSpanContext().isValid()) {
        throw new IllegalStateException("not the root, so it would be carried");
      }
      System.out.println(ways.size() + " ways, " + (lost.isEmpty() ? "none" : lost) + " lost");
    }

    private static String idsOf(SpanContext context) {
      return context.getTraceId() + " " + context.getSpanId();
    }
  }
}
