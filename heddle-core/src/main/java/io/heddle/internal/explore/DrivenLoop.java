package io.heddle.internal.explore;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.ScheduleLoop;
import org.jspecify.annotations.Nullable;

/** The loop of a driven scheduler's M: it runs the goroutines that the driver chooses. */
final class DrivenLoop extends ScheduleLoop {
  private final ExploringDriver driver;

  DrivenLoop(Sched sched, ExploringDriver driver) {
    super(sched);
    this.driver = driver;
  }

  /**
   * Runs {@code g} until {@code g} steps off its M. Returns {@code g} if it has yielded, else null.
   */
  @Nullable G runAlone(M m, G g) {
    return runOnly(m, g);
  }

  /** Does the chores of the scheduler. */
  void doPendingChores() {
    doChoresIfAny();
  }

  @Override
  public boolean untilEnd(M m) {
    try {
      driver.drive(m, this);
      return true;
    } catch (Throwable t) {
      driver.fail(t);
      return true;
    }
  }
}
