package io.heddle;

import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.sched.Sched;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes schedulers on a helper thread of normal priority, if the caller runs on a background M. A
 * thread inherits the priority of the thread that starts it. So without this class, a background
 * goroutine that makes a scheduler would give low priority to its threads.
 */
final class NormalPriority {
  private static volatile @Nullable ExecutorService helper;

  private NormalPriority() {}

  /** Starts the helper thread. Called before the first background scheduler has an M. */
  static void prepare() {
    synchronized (NormalPriority.class) {
      if (helper == null) {
        ExecutorService made =
            Executors.newSingleThreadExecutor(
                Thread.ofPlatform()
                    .group(SystemThreadGroup.get()) // so that Thread.activeCount does not count it
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name("heddle-normal-priority")
                    .factory());
        Future<?> _ = made.submit(() -> {}); // starts the thread
        helper = made;
      }
    }
  }

  /**
   * Returns what {@code make} returns, or throws what it throws. If the caller runs on a background
   * M, the helper thread calls {@code make}. An interrupt of the caller does not end the wait for
   * that thread; the interrupt flag is set afterwards.
   */
  static <T> T call(Supplier<T> make) {
    ExecutorService normal = helper;
    if (normal == null || !Sched.isCallerInBackground()) {
      return make.get();
    }
    Future<T> made = normal.submit(make::get);
    boolean interrupted = false;
    try {
      for (; ; ) {
        try {
          return made.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          Throwable cause = e.getCause();
          throw LiveGoroutine.unchecked(cause == null ? e : cause);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
