package io.heddle.internal.wait;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.timer.Deadline;
import java.util.concurrent.locks.LockSupport;

/** The sleep of a goroutine: a timer that unparks it; Go's {@code timeSleep}. */
public final class Sleep extends Deadline implements BlockReason {
  private final Thread sleeper;
  private volatile boolean over;

  private Sleep(Thread sleeper) {
    this.sleeper = sleeper;
  }

  /**
   * Parks the calling goroutine, which belongs to {@code sched}, for {@code nanos} nanoseconds.
   * Returns at once if {@code nanos} is not positive.
   *
   * @throws InterruptedException if the goroutine is interrupted before or during the sleep; its
   *     interrupt status is then cleared
   */
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

  /**
   * Parks the calling goroutine, which belongs to {@code sched}, for at most {@code nanos}
   * nanoseconds. Like {@link LockSupport#parkNanos} it returns on an unpark or interrupt, too.
   */
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
