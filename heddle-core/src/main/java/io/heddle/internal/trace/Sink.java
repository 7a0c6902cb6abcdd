package io.heddle.internal.trace;

import java.io.IOException;

/** Where batches go. All on the writer's thread. */
interface Sink {
  boolean wants(Recording recording);

  /** A batch of one of its tracks. */
  void events(Recording recording, Recording.Entry entry, byte[] batch) throws IOException;

  /** What has been given so far is to be safe from a crash of the program. */
  void flush() throws IOException;

  /** It is given nothing any more. */
  void failed(IOException e);
}
