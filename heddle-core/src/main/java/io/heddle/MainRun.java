package io.heddle;

import io.heddle.internal.inspect.DeadlockDetector;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a main goroutine for {@link Scheduler#run}. This object is the goroutine's task. It also has
 * the code with which the thread that called {@code run}, the <i>caller</i>, waits for the end of
 * the goroutine.
 */
final class MainRun implements Task {
  /**
   * The largest number of frames to which {@link #appendCaller} extends a stack trace: the JVM's
   * default limit for traces.
   */
  private static final int MAX_FRAMES = 1_024;

  private final boolean deadlockExits;
  private final Task main;

  /**
   * What main threw; null if it returned. Written by the goroutine before it tells {@link #watch}
   * that it is about to end. Read by the caller after that; where Heddle is off, after the join.
   */
  private @Nullable Throwable thrown;

  /**
   * Tells the caller that the goroutine is about to end, or that it is deadlocked. Written by the
   * caller before the goroutine starts; null where Heddle is off.
   */
  private DeadlockDetector.@Nullable Watch watch;

  MainRun(boolean deadlockExits, Task main) {
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
   * Starts the main goroutine, which runs this task, and waits for its end. Throws what {@code
   * main} threw. If the deadlock detector finds that the goroutine can never continue, throws a
   * DeadlockException and leaves the goroutine waiting.
   *
   * @param site the place in the program that starts the goroutine; null if it is not known
   */
  void startAndWait(Sched sched, @Nullable StackTraceElement site) throws Exception {
    DeadlockDetector.Watch mine = start(sched, site);
    boolean interrupted;
    try {
      interrupted = await(mine);
      if (mine.isOver() && mine.main() instanceof LiveGoroutine g) {
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
    rethrow();
  }

  /**
   * Starts the main goroutine. This is a method of its own, because the frames of a caller that
   * waits must not refer to the goroutine. Otherwise the goroutine could never be found as leaked.
   */
  private DeadlockDetector.Watch start(Sched sched, @Nullable StackTraceElement site) {
    LiveGoroutine g = new LiveGoroutine(sched, "main", this, Sched.current(), site);
    DeadlockDetector deadlocks = Inspector.of(sched).deadlocks();
    DeadlockDetector.Watch mine = deadlocks.watch(g);
    watch = mine;
    try {
      sched.start(g);
      return mine;
    } catch (Throwable t) {
      deadlocks.unwatch(mine);
      throw t;
    }
  }

  /**
   * Starts the main goroutine where Heddle is off ({@code HEDDLE=off}), and waits for its end. Does
   * not look for deadlocks. Throws what {@code main} threw.
   *
   * @param site the place in the program that starts the goroutine; null if it is not known
   */
  void startAndWait(PlainScheduler scheduler, @Nullable StackTraceElement site) throws Exception {
    PlainGoroutine g = scheduler.start("main", this, site);
    if (joinPassingInterrupts(g)) {
      Thread.currentThread().interrupt();
    }
    rethrow();
  }

  private void rethrow() throws Exception {
    if (thrown != null) {
      tryAppendCaller(thrown);
    }
    Scheduler.rethrow(thrown);
  }

  /**
   * Calls {@link #appendCaller}; if that fails, the trace of {@code t} stays as it is. The frames
   * only help a reader, so a lack of memory or stack must not replace {@code t}.
   */
  private static void tryAppendCaller(Throwable t) {
    try {
      appendCaller(t);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // RuntimeException: a subclass of Throwable may override getStackTrace or setStackTrace.
    }
  }

  /**
   * Appends the frames of the caller, from {@link Scheduler#run} outwards, to those of the main
   * goroutine in the trace of {@code t}. Then the trace leads to the place that called {@code run}.
   *
   * <p>The JDK's source launcher ({@code java Main.java}) relies on that: it removes its own frames
   * from the end of each trace, and fails with another exception if the trace is shorter.
   *
   * <p>A program may keep an exception and throw it again and again. Therefore nothing is appended
   * to a trace that ends with these frames already, or that would become longer than
   * {@link #MAX_FRAMES}.
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
    if (own.length > 0 && !isThere && own.length + callers <= MAX_FRAMES) {
      StackTraceElement[] both = Arrays.copyOf(own, own.length + callers);
      System.arraycopy(here, first, both, own.length, callers);
      t.setStackTrace(both);
    }
  }

  /**
   * Waits until the main goroutine is about to end, or is reported as deadlocked. Passes interrupts
   * of the caller on to that goroutine. Returns whether there was an interrupt.
   */
  private static boolean await(DeadlockDetector.Watch watch) {
    boolean interrupted = false;
    while (!watch.isOver() && watch.found() == null) {
      LockSupport.park(watch);
      if (Thread.interrupted()) {
        interrupted = true;
        interruptMain(watch);
      }
    }
    return interrupted;
  }

  private static void interruptMain(DeadlockDetector.Watch watch) {
    G main = watch.main();
    while (main == null && !watch.isOver() && watch.found() == null) {
      Thread.yield(); // a search for leaks is about to restore the reference
      main = watch.main();
    }
    if (main != null) {
      main.thread().interrupt();
    }
  }

  /**
   * Waits until {@code g}'s thread has ended. With Heddle on, that is shortly after {@link #run}
   * has ended the watch. Passes interrupts of the caller on to {@code g}. Returns whether there was
   * an interrupt.
   */
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
