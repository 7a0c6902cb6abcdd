package io.heddle.internal.dashboard;

import java.nio.file.Path;

/** Records a trace of a scheduler to a file, for the button on the page. */
@FunctionalInterface
public interface TraceStarter {
  /**
   * Starts a trace.
   *
   * @param owner the public object of the scheduler: an {@code io.heddle.Scheduler}
   * @param file the file for the trace
   * @return an object that ends the trace when it is closed
   * @throws Exception if the trace cannot be started
   */
  AutoCloseable trace(Object owner, Path file) throws Exception;
}
