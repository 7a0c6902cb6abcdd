package io.heddle;

import io.heddle.internal.inspect.DeadlockDetector;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.Sched;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A main goroutine and the thread that waits for it: see {@link Scheduler#run}. */
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

  /**
   * Starts {@code g}, which runs this task, and waits for it. Throws what {@code main} threw, or
   * the deadlock that it is in.
   */
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
    if (thrown != null) {
      appendCaller(thrown);
    }
    Scheduler.rethrow(thrown);
  }

  /**
   * Appends the frames of the calling thread, from {@link Scheduler#run} outwards, to those of the
   * main goroutine. Then the trace leads to the place that called {@code run}. The JDK's source
   * launcher also relies on it: it removes as many frames from the end as it has itself, and fails
   * with another exception if there are fewer.
   *
   * <p>An exception that the program keeps and throws again and again has them at its end already, and gets no more.
   */
  private static void appendCaller(Throwable t) {
    StackTraceElement[] here = new Throwable().getStackTrace();
    int first = 0;
    while (first < here.length && here[first].getClassName().equals(MainRun.class.getName())) {
      first++;
    }
    StackTraceElement[] own = t.getStackTrace();
    int callers = here.length - first;
    boolean isThere =
        own.length >= callers
            && Arrays.equals(own, own.length - callers, own.length, here, first, here.length);
    if (own.length > 0 && !isThere) {
      StackTraceElement[] both = Arrays.copyOf(own, own.length + callers);
      System.arraycopy(here, first, both, own.length, callers);
      t.setStackTrace(both);
    }
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
