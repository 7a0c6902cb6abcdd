package io.heddle.internal.inspect;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Runs checks of goroutines on a daemon thread of their own, whatever thread asks for them. */
final class CheckThread {
  private static final String NAME = "heddle-check";

  private CheckThread() {}

  /**
   * Runs {@code check} on such a thread, waits for its result and returns that. An interrupt does
   * not end the wait; afterwards the caller's interrupt flag is set. Throws what {@code check} has
   * thrown; a checked exception is wrapped.
   */
  static <T> T call(Callable<T> check) {
    FutureTask<T> task = new FutureTask<>(check);
    DaemonThreads.start(NAME, task);
    boolean interrupted = false;
    try {
      for (; ; ) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException failure(@Nullable Throwable cause) {
    if (cause instanceof Error e) {
      throw e;
    }
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }
}
