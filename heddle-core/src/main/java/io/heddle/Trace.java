package io.heddle;

/** A trace that is being written: see {@link Scheduler#trace}. */
public interface Trace extends AutoCloseable {
  /** Writes what has happened so far and ends the file. Closing it again does nothing. */
  @Override
  void close();
}
