/** Carries the current context of OpenTelemetry, with its span and baggage, to goroutines. */
module io.heddle.opentelemetry {
  requires transitive io.heddle;
  requires static org.jspecify;
  requires io.opentelemetry.context;

  exports io.heddle.opentelemetry;

  provides io.heddle.Carry with
      io.heddle.opentelemetry.OpenTelemetryCarry;
}
