package io.heddle;

import io.heddle.internal.admit.Gate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An executor that starts goroutines through another executor, and limits their number with a
 * {@link Gate}.
 */
final class LimitedExecutor extends AbstractExecutorService {
  private final ExecutorService goroutines;
  private final Gate gate;

  LimitedExecutor(ExecutorService goroutines, Gate gate) {
    this.goroutines = goroutines;
    this.gate = gate;
  }

  @Override
  public void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    if (isShutdown()) {
      throw new RejectedExecutionException("the executor is shut down");
    }
    if (!gate.enter()) {
      task.run();
      return;
    }
    try {
      goroutines.execute(new GatedTask(task, gate));
    } catch (Throwable t) { // for example because the executor was shut down meanwhile
      gate.withdraw();
      throw t;
    }
    gate.started();
  }

  /**
   * Returns the task that the user submitted: {@code task}, or the task that it wraps. The class of
   * that task determines the creation site.
   */
  static Runnable usersTask(Runnable task) {
    return task instanceof GatedTask gated ? gated.users : task;
  }

  /** A task that the user submitted, with the gate that it leaves when it ends. */
  private record GatedTask(Runnable users, Gate gate) implements Runnable {
    @Override
    public void run() {
      try {
        users.run();
      } finally {
        gate.leave();
      }
    }
  }

  @Override
  public void shutdown() {
    goroutines.shutdown();
    gate.close();
  }

  @Override
  public List<Runnable> shutdownNow() {
    gate.close();
    return goroutines.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return goroutines.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return goroutines.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return goroutines.awaitTermination(timeout, unit);
  }
}
