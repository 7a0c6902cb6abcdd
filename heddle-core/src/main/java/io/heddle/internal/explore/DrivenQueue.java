package io.heddle.internal.explore;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Ready;
import io.heddle.internal.sched.Sched;
import org.jspecify.annotations.Nullable;

/** Hands goroutines that become runnable to the driver, which chooses from them. */
final class DrivenQueue extends Ready {
  private final ExploringDriver driver;

  DrivenQueue(Sched sched, ExploringDriver driver) {
    super(sched);
    this.driver = driver;
  }

  @Override
  public void ready(G g) {
    if (VirtualThreads.isUnblocker()) {
      driver.nudge(); // it tries the goroutine anyway, and must not depend on when this call comes
    } else {
      super.ready(g);
    }
  }

  @Override
  public void put(@Nullable M m, G g, boolean isM) {
    driver.queue(g, m != null);
  }
}
