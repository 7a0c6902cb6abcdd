/** Carries the thread-local values that Micrometer's library knows to goroutines. */
module io.heddle.context.propagation {
  requires transitive io.heddle;
  requires static org.jspecify;
  requires transitive context.propagation;

  exports io.heddle.context.propagation;

  provides io.heddle.Carry with
      io.heddle.context.propagation.ContextPropagationCarry;
}
