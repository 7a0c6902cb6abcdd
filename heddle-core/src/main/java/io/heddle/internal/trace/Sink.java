package io.heddle.internal.trace;

import java.io.IOException;

/**
 * A destination of events: a file, or a ring in memory. It receives events in batches. A batch has
 * some encoded events of one track (see {@link EventTrack}). All methods are called on the writer's
 * thread.
 */
interface Sink {
  /** Whether this sink takes the batches of {@code recording}. */
  boolean wants(Recording recording);

  /** Takes a batch of one of the tracks of {@code recording}. */
  void events(Recording recording, Recording.OwnedTrack entry, byte[] batch) throws IOException;

  /** Ensures that all batches received so far survive a crash of the program. */
  void flush() throws IOException;

  /** Called after an error. The sink receives no more batches. */
  void failed(IOException e);
}
