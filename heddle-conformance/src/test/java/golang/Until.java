package golang;

import io.heddle.Go;
import io.heddle.Goroutine;

/** Waits for a state that nothing announces, and lets others run meanwhile. */
public final class Until {
  private Until() {}

  /** Until {@code g} waits for that. */
  public static void asleep(Goroutine g, String reason) {
    until(() -> g.waitReason().equals(reason));
  }

  /** An interrupt ends it, as the one of a test that takes too long. */
  public static void until(Condition condition) {
    while (!condition.holds()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted before it was so");
      }
      Go.gosched();
    }
  }

  /** Gives what must not happen a chance to happen. */
  public static void othersHaveRun() {
    for (int i = 0; i < 20; i++) {
      Go.gosched();
    }
  }

  @FunctionalInterface
  public interface Condition {
    boolean holds();
  }
}
