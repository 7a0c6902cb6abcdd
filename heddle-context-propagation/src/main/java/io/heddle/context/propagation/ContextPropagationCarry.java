package io.heddle.context.propagation;

import io.heddle.Carry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries the values of all {@link io.micrometer.context.ThreadLocalAccessor}s to goroutines: trace
 * and observation of Micrometer, security context, MDC, and what the program registers with {@link
 * io.micrometer.context.ContextRegistry}.
 *
 * <p>Heddle finds this class by itself if it is on the class path or module path. A program that
 * wants other settings makes an instance:
 *
 * {@snippet :
 * Scheduler.builder()
 *     .carry(new ContextPropagationCarry(
 *         ContextSnapshotFactory.builder().clearMissing(true).build()))
 *     .build();
 * }
 */
public final class ContextPropagationCarry implements Carry {
  private final ContextSnapshotFactory factory;

  /** Carries the values of all accessors in the global registry. */
  public ContextPropagationCarry() {
    this(ContextSnapshotFactory.builder().build());
  }

  /**
   * Carries what {@code factory} captures.
   *
   * @param factory decides what is captured
   */
  public ContextPropagationCarry(ContextSnapshotFactory factory) {
    this.factory = Objects.requireNonNull(factory, "factory");
  }

  /** Returns a snapshot; null if it is empty, as far as that can be seen. */
  @Override
  public @Nullable Object capture() {
    ContextSnapshot snapshot = factory.captureAll();
    return snapshot instanceof Map<?, ?> values && values.isEmpty() ? null : snapshot;
  }

  @Override
  public AutoCloseable restore(Object captured) {
    return ((ContextSnapshot) captured).setThreadLocals();
  }
}
