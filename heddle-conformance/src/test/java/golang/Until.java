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

  public static void until(Condition condition) {
    while (!condition.holds()) {
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
