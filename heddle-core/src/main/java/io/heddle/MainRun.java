package io.heddle;

import io.heddle.internal.inspect.DeadlockDetector;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.Sched;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A main goroutine, and who waits for it: see {@link Scheduler#run}. */
final class MainRun implements Task {
  private final Sched sched;
  private final boolean deadlockExits;
  private final Task main;
  private @Nullable Throwable thrown;
  private DeadlockDetector.@Nullable Watch watch;

  MainRun(Sched sched, boolean deadlockExits, Task main) {
    this.sched = sched;
    this.deadlockExits = deadlockExits;
    this.main = main;
  }

  @Override
  public void run() {
    try {
      main.run();
    } catch (Throwable t) {
      thrown = t;
    } finally {
      if (watch != null) {
        watch.over();
      }
    }
  }

  /** With the goroutine that runs this. Throws what {@code main} threw, or the deadlock that it is in. */
  void startAndWait(LiveGoroutine g) throws Exception {
    DeadlockDetector.Watch mine = Inspector.of(sched).deadlocks().watch(g);
    watch = mine;
    boolean interrupted;
    try {
      sched.start(g);
      interrupted = await(mine, g);
      if (mine.isOver()) {
        interrupted |= joinPassingInterrupts(g);
      }
    } finally {
      Inspector.of(sched).deadlocks().unwatch(mine);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    String found = mine.found();
    if (found != null && !mine.isOver()) {
      DeadlockException e = new DeadlockException(found, Dump.of(sched));
      if (deadlockExits) {
        DeadlockExit.arm();
      }
      throw e;
    }
    Scheduler.rethrow(thrown);
  }

  private static boolean await(DeadlockDetector.Watch watch, Goroutine g) {
    boolean interrupted = false;
    while (!watch.isOver() && watch.found() == null) {
      LockSupport.park(watch);
      if (Thread.interrupted()) {
        interrupted = true;
        g.interrupt();
      }
    }
    return interrupted;
  }

  private static boolean joinPassingInterrupts(Goroutine g) {
    boolean interrupted = false;
    for (; ; ) {
      try {
        g.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
        g.interrupt();
      }
    }
  }
}
