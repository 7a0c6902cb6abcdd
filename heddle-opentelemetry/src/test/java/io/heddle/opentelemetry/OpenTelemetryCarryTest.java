package io.heddle.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The span of the caller is the span of its goroutines, without any line of configuration. */
@Timeout(30)
class OpenTelemetryCarryTest {
  private final Tracer tracer = SdkTracerProvider.builder().build().get("test");

  @Test
  void spanAndBaggageArrive() throws Exception {
    Span span = tracer.spanBuilder("request").startSpan();
    try (Scope _ = span.makeCurrent();
        Scope _ = Baggage.builder().put("tenant", "acme").build().makeCurrent()) {
      Ways.go((way, found) -> assertThat(found).as(way).isEqualTo(span.getSpanContext()));
      Go.go(
              () ->
                  assertThat(Baggage.current().getEntryValue("tenant"))
                      .as("tenant")
                      .isEqualTo("acme"))
          .join();
    }
  }

  @Test
  void childOfASpanIsMadeInTheGoroutine() throws Exception {
    Span span = tracer.spanBuilder("request").startSpan();
    try (Scope _ = span.makeCurrent();
        Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(
          () -> {
            Span child = tracer.spanBuilder("query").startSpan();
            assertThat(child.getSpanContext().getTraceId())
                .isEqualTo(span.getSpanContext().getTraceId());
            try (Scope _ = child.makeCurrent()) {
              Go.go(() -> assertThat(Span.current()).isSameAs(child)).join();
            }
          });
      assertThat(Span.current()).isSameAs(span);
    }
  }

  @Test
  void nothingIsCapturedWithoutAContext() {
    assertThat(Context.current()).isSameAs(Context.root());
    assertThat(new OpenTelemetryCarry().capture()).isNull();
  }
}
