package golang;

import io.heddle.Go;
import io.heddle.Goroutine;

/** Polls for a state without a notification, and yields meanwhile. */
public final class Until {
  private Until() {}

  /** Waits until {@code g} waits for that reason. */
  public static void asleep(Goroutine g, String reason) {
    until(() -> g.waitReason().equals(reason));
  }

  /** An interrupt ends it, such as the interrupt of a test that takes too long. */
  public static void until(Condition condition) {
    while (!condition.holds()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted before it was so");
      }
      Go.gosched();
    }
  }

  /** Gives a forbidden event the chance to happen. */
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
