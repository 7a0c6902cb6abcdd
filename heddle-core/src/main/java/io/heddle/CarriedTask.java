package io.heddle;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a task. The task runs with the values that one {@link Carry} has captured, such as a trace
 * span. The values come from the thread that started the task.
 */
final class CarriedTask implements Task {
  private final Scheduler scheduler;
  private final Carry carry;
  private final Object captured;
  private final Task task;

  private CarriedTask(Scheduler scheduler, Carry carry, Object captured, Task task) {
    this.scheduler = scheduler;
    this.carry = carry;
    this.captured = captured;
    this.task = task;
  }

  /**
   * Returns a task that runs {@code task} with the values that {@code carries} capture from the
   * calling thread.
   */
  static Task of(Scheduler scheduler, Carry[] carries, Task task) {
    Task wrapped = task;
    for (int i = carries.length - 1; i >= 0; i--) { // the first one is outermost
      wrapped = of(scheduler, carries[i], wrapped);
    }
    return wrapped;
  }

  private static Task of(Scheduler scheduler, Carry carry, Task task) {
    Object captured;
    try {
      captured = carry.capture();
    } catch (Throwable t) {
      scheduler.carryFailed(carry, "capture", t);
      return task;
    }
    return captured == null ? task : new CarriedTask(scheduler, carry, captured, task);
  }

  /**
   * Whether {@code task} is a worker of a thread pool. Such a worker carries no values, because it
   * runs many tasks.
   */
  static boolean isPoolWorker(Runnable task) {
    return task.getClass().getEnclosingClass() == ThreadPoolExecutor.class;
  }

  @Override
  public void run() throws Exception {
    AutoCloseable restored = restore();
    try {
      task.run();
    } finally {
      close(restored);
    }
  }

  private @Nullable AutoCloseable restore() {
    try {
      return carry.restore(captured);
    } catch (Throwable t) {
      scheduler.carryFailed(carry, "restore", t);
      return null;
    }
  }

  private void close(@Nullable AutoCloseable restored) {
    try {
      if (restored != null) {
        restored.close();
      }
    } catch (Throwable t) {
      scheduler.carryFailed(carry, "close", t);
    }
  }
}
