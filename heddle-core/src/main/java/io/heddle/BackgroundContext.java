package io.heddle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The root of all contexts. This context never ends, and has no deadline and no values. */
final class BackgroundContext implements Context {
  static final BackgroundContext INSTANCE = new BackgroundContext();

  private final Chan<Void> done = Chan.make();

  private BackgroundContext() {}

  @Override
  public Receiver<Void> done() {
    return done;
  }

  @Override
  public @Nullable Throwable err() {
    return null;
  }

  @Override
  public @Nullable Throwable cause() {
    return null;
  }

  @Override
  public @Nullable Instant deadline() {
    return null;
  }

  @Override
  public String toString() {
    return "Context.background()";
  }
}
