package io.heddle.opentelemetry;

import io.heddle.Carry;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link Context} that is current where a goroutine is started current in the goroutine,
 * with the span, the baggage and what else it contains.
 *
 * <p>Heddle finds this class by itself if it is on the class path or module path. With
 * OpenTelemetry's agent it carries the agent's context, because the agent connects the program's
 * API to its own. The agent alone carries the context into tasks of {@link
 * io.heddle.Scheduler#executor} only.
 */
public final class OpenTelemetryCarry implements Carry {
  /** Makes an adapter. */
  public OpenTelemetryCarry() {}

  @Override
  public @Nullable Object capture() {
    Context context = Context.current();
    return context == Context.root() ? null : context;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // Heddle closes it, in the same goroutine
  public AutoCloseable restore(Object captured) {
    return ((Context) captured).makeCurrent();
  }
}
