package io.heddle.spring;

import io.heddle.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Starts a goroutine for each task. */
final class GoroutineExecutor implements Executor {
  private final GoroutineThreadFactory factory;

  GoroutineExecutor(Scheduler scheduler, String prefix) {
    this.factory = new GoroutineThreadFactory(scheduler, prefix);
  }

  @Override
  public void execute(Runnable task) {
    Thread thread;
    try {
      thread = factory.newThread(task);
    } catch (IllegalStateException e) { // the scheduler is closed
      throw new RejectedExecutionException(e.getMessage(), e);
    }
    thread.start();
  }
}
