package io.heddle.internal.jdk;

import io.heddle.internal.base.SystemThreadGroup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a trial on a platform thread of its own, with a time limit. */
final class TrialThread {
  /*
   * The trial needs a thread of its own, because the caller may be a virtual thread, which cannot
   * mount another. The thread belongs to the JVM's thread group, because the trial may run while
   * the program counts the threads of its own group.
   */
  static final Duration LIMIT = Duration.ofSeconds(20);

  private static final String NAME = "heddle-trial";

  private TrialThread() {}

  /**
   * Runs {@code trial} on a new thread, and waits for its end.
   *
   * @throws IllegalStateException if the trial fails, or does not end within {@code limit}
   */
  static void run(Duration limit, Runnable trial) {
    run(
        limit,
        Thread.ofPlatform()
            .group(SystemThreadGroup.get())
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name(NAME)
            .unstarted(trial));
  }

  /**
   * Starts {@code thread}, whose code is the trial, and waits for its end, even if the caller is
   * interrupted. Keeps the caller's interrupt status.
   *
   * @throws IllegalStateException if the trial fails, or does not end within {@code limit}
   */
  static void run(Duration limit, Thread thread) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    thread.setUncaughtExceptionHandler((_, e) -> failure.set(e));
    thread.start();
    boolean ended = awaitEnd(thread, limit.toNanos());
    Throwable e = failure.get();
    if (e != null) {
      throw new IllegalStateException("the trial of a virtual thread failed: " + e, e);
    }
    if (!ended) {
      throw new IllegalStateException(
          "the trial of a virtual thread did not end within " + limit.toSeconds() + " s");
    }
  }

  private static boolean awaitEnd(Thread thread, long nanos) {
    long start = System.nanoTime();
    boolean interrupted = false;
    for (long left; thread.isAlive() && (left = start + nanos - System.nanoTime()) > 0; ) {
      try {
        boolean _ = thread.join(Duration.ofNanos(left));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
