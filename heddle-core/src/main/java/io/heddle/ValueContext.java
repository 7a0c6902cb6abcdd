package io.heddle;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A context that has one value in addition to those of its parent, or instead of one of them. */
final class ValueContext implements Context {
  final Context parent;
  final Key<?> key;
  final Object value;

  ValueContext(Context parent, Key<?> key, Object value) {
    this.parent = parent;
    this.key = Objects.requireNonNull(key, "key");
    this.value = Objects.requireNonNull(value, "value");
  }

  /**
   * Returns the value of {@code key} in {@code context}. If {@code context} has none, returns the
   * value in the nearest ancestor that has one; null if there is none.
   */
  static @Nullable Object find(Context context, Key<?> key) {
    Context at = context;
    for (; ; ) {
      switch (at) {
        case ValueContext v when v.key == key -> {
          return v.value;
        }
        case ValueContext v -> at = v.parent;
        case CancelContext c -> at = c.parent;
        case BackgroundContext _ -> {
          return null;
        }
      }
    }
  }

  @Override
  public Receiver<Void> done() {
    return parent.done();
  }

  @Override
  public @Nullable Throwable err() {
    return parent.err();
  }

  @Override
  public @Nullable Throwable cause() {
    return parent.cause();
  }

  @Override
  public @Nullable Instant deadline() {
    return parent.deadline();
  }

  @Override
  public String toString() {
    return parent + ".withValue(" + key + ")";
  }
}
