package io.heddle.internal.explore;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Ready;
import io.heddle.internal.sched.Sched;
import org.jspecify.annotations.Nullable;

/** Gives goroutines that become runnable to the driver, which chooses from them. */
final class DrivenQueue extends Ready {
  private final ExploringDriver driver;

  DrivenQueue(Sched sched, ExploringDriver driver) {
    super(sched);
    this.driver = driver;
  }

  @Override
  public void ready(G g) {
    if (VirtualThreads.isUnblocker()) {
      // The driver tries the goroutine anyway, and its choices must not depend on the time of this
      // call.
      driver.nudge();
    } else {
      super.ready(g);
    }
  }

  @Override
  public void put(@Nullable M m, G g, boolean isM) {
    driver.queue(g, m != null);
  }
}
