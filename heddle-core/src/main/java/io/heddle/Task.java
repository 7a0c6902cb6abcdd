package io.heddle;

/**
 * The code of a goroutine: like {@link Runnable}, but it may throw checked exceptions. So a task
 * can call {@link Chan#send} or {@link Thread#sleep(long)} without a {@code try} block.
 *
 * {@snippet :
 * Task producer = () -> results.send(compute());   // send may throw InterruptedException
 * go(producer);
 * }
 *
 * <p>What happens to an exception depends on the method that runs the task:
 * <ul>
 *   <li>{@link Go#go} passes it to the scheduler's
 *       {@linkplain Scheduler.Builder#uncaught handler}.
 *   <li>{@link Scheduler#run}, {@link Once#run} and {@link Context#run} throw it.
 *   <li>{@link Group#await} throws the first exception of all tasks of the group.
 * </ul>
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
