package io.heddle.spring;

import io.heddle.Scheduler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Creates goroutines with the names that Boot would give to their threads: a prefix and a number.
 */
final class GoroutineThreadFactory implements ThreadFactory {
  private final ThreadFactory goroutines;
  private final String prefix;
  private final AtomicLong created = new AtomicLong();

  GoroutineThreadFactory(Scheduler scheduler, String prefix) {
    this.goroutines = scheduler.threadFactory();
    this.prefix = prefix;
  }

  /** Makes the executor start goroutines instead of virtual threads of the JDK's scheduler. */
  static void replaceThreadsOf(SimpleAsyncTaskExecutor executor, Scheduler scheduler) {
    executor.setThreadFactory(
        new GoroutineThreadFactory(scheduler, executor.getThreadNamePrefix()));
    executor.setVirtualThreads(false); // because virtual threads would not come from the factory
  }

  @Override
  public Thread newThread(@Nullable Runnable task) {
    Thread thread = goroutines.newThread(task);
    thread.setName(prefix + created.incrementAndGet());
    return thread;
  }
}
