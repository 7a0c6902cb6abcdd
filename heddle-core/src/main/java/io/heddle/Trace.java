package io.heddle;

/**
 * A running trace, which {@link Scheduler#trace} has started: the events of a scheduler are written
 * to a file until the trace is closed. Closing the scheduler closes the trace, too. Any thread can
 * close it.
 *
 * {@snippet :
 * try (Trace _ = Scheduler.shared().trace(Path.of("run.trace"))) {
 *   work();
 * }                       // then: heddle trace run.trace
 * }
 */
public interface Trace extends AutoCloseable {
  /**
   * Writes the events that have happened until now, and ends the file. Closing a trace again does
   * nothing.
   */
  @Override
  void close();
}
