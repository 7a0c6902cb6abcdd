package io.heddle;

/**
 * The code of a goroutine: like {@link Runnable}, but it may throw checked exceptions.
 *
 * <p>So a task can call {@link Chan#send} or {@link Thread#sleep(long)} without a {@code try}
 * block. What happens to an exception depends on the caller of the task: {@link Go#go} passes it to
 * the scheduler's {@linkplain Scheduler.Builder#uncaught handler}, {@link Scheduler#run},
 * {@link Once#run} and {@link Context#run} throw it, and {@link Group#await} throws the first.
 */
@FunctionalInterface
public interface Task {
  /**
   * Does the work.
   *
   * @throws Exception if the work fails
   */
  void run() throws Exception;
}
