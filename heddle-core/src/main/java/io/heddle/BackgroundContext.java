package io.heddle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The root of all contexts. This context never ends, and has no deadline and no values. */
final class BackgroundContext implements Context {
  static final BackgroundContext INSTANCE = new BackgroundContext();

  /**
   * Made on first use, because the static initializer of this class must not need Chan: see
   * EarlyInitialization.
   */
  private volatile @Nullable Chan<Void> done;

  private BackgroundContext() {}

  @Override
  public Receiver<Void> done() {
    Chan<Void> made = done;
    return made == null ? makeDone() : made;
  }

  private synchronized Receiver<Void> makeDone() {
    Chan<Void> made = done;
    if (made == null) {
      made = Chan.make();
      done = made;
    }
    return made;
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
