package io.heddle.internal.wait;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.timer.Deadline;
import java.util.concurrent.locks.LockSupport;

/** A goroutine's sleep. */
public final class Sleep extends Deadline implements BlockReason {
  private final Thread sleeper;
  private volatile boolean over;

  private Sleep(Thread sleeper) {
    this.sleeper = sleeper;
  }

  /** The calling goroutine, which is one of {@code sched}, sleeps. */
  public static void sleep(Sched sched, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (nanos <= 0) {
      return;
    }
    Sleep sleep = new Sleep(Thread.currentThread());
    sleep.armFirst(sched.timersOfCaller(), sched.timeAfter(nanos));
    while (!sleep.over) {
      Parking.park(sleep);
      if (Thread.interrupted()) {
        sleep.stop();
        throw new InterruptedException();
      }
    }
  }

  /** The calling goroutine, which is one of {@code sched}, parks for so long at most; as {@link LockSupport#parkNanos}. */
  public static void park(Sched sched, Object blocker, long nanos) {
    Sleep sleep = new Sleep(Thread.currentThread());
    sleep.armFirst(sched.timersOfCaller(), sched.timeAfter(nanos));
    try {
      Mounter.current().park(blocker);
    } finally {
      sleep.stop();
    }
  }

  @Override
  protected void fire(long generation) {
    over = true;
    Parking.unpark(sleeper);
  }

  @Override
  public String reason() {
    return "sleep";
  }
}
