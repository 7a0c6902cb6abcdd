package io.heddle.internal.explore;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Ready;
import io.heddle.internal.sched.Sched;
import org.jspecify.annotations.Nullable;

/** Gives goroutines that become runnable to the driver, which chooses the next one to run. */
final class DrivenQueue extends Ready {
  private final ExploringDriver driver;

  DrivenQueue(Sched sched, ExploringDriver driver) {
    super(sched);
    this.driver = driver;
  }

  @Override
  public void ready(G g) {
    if (VirtualThreads.isUnblocker()) {
      // The JDK has found that g's monitor is free. The time of this call differs from run to run,
      // so the driver's choices must not depend on it. Therefore g is not queued here. The driver
      // may choose g before or after this call; g then tries to enter the monitor.
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
