package io.heddle;

/**
 * A running trace: see {@link Scheduler#trace}. Close it to end the file. Any thread can close it.
 *
 * {@snippet :
 * try (Trace _ = Scheduler.shared().trace(Path.of("run.trace"))) {
 *   work();
 * }                       // then: heddle trace run.trace
 * }
 */
public interface Trace extends AutoCloseable {
  /** Writes the events that happened before and ends the file. Closing it again does nothing. */
  @Override
  void close();
}
