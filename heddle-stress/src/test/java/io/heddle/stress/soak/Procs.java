package io.heddle.stress.soak;

import io.heddle.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Changes the number of Ps of all schedulers, every 50 ms. */
final class Procs implements Load {
  private static final int[] MOST = {4, 16, 4};

  /** Only one worker changes the numbers, so it knows the current ones. */
  private final int[] now = new int[MOST.length];

  @Override
  public void step(Worker me) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    for (int i = 0; i < MOST.length; i++) {
      Scheduler scheduler = me.world.schedulers.get(i);
      int n = me.between(1, MOST[i]);
      long since = System.nanoTime();
      int before = scheduler.procs(n);
      me.world.tally.waited(Tally.Wait.PROCS, System.nanoTime() - since);
      Expect.that(now[i] == 0 || before == now[i], "procs was " + before + ", not " + now[i]);
      now[i] = n;
      me.did(1);
    }
  }

  @Override
  public Where where() {
    return Where.OUTSIDE;
  }
}
