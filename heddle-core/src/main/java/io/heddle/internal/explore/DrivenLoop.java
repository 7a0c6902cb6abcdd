package io.heddle.internal.explore;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.ScheduleLoop;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the only M of a scheduler that an {@link ExploringDriver} drives. It runs the
 * goroutines that the driver chooses.
 */
final class DrivenLoop extends ScheduleLoop {
  private final ExploringDriver driver;

  DrivenLoop(Sched sched, ExploringDriver driver) {
    super(sched);
    this.driver = driver;
  }

  /**
   * Runs {@code g} until it unmounts or ends. Returns {@code g} if it has yielded; null if it waits
   * or has ended.
   */
  @Nullable G runAlone(M m, G g) {
    return runOnly(m, g);
  }

  /**
   * Does the scheduler's chores, which are rare work: logs deferred messages, and repeats
   * submissions that ran out of stack.
   */
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
