package io.heddle.internal.trace;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a track, the sequence of events of one M or another thread (the owner). The owner adds
 * events, as words, and the writer thread reads them at the same time.
 */
final class EventChunk {
  /*
   * The owner of the track, in this order:
   *   1. Write words and names.
   *   2. Write size (release).
   *   3. To go on to another chunk, write next (release). Do not touch this chunk afterwards.
   * The writer thread, in this order:
   *   1. Read next (acquire).
   *   2. Read size (acquire). If next was set, this size is final.
   *   3. Read words and names below size.
   *   4. If next was set, return the chunk to the pool.
   * sizeRelease pairs with sizeAcquire for the words and names; nextRelease pairs with nextAcquire
   * for the final size.
   */
  static final int WORDS = 512;

  /**
   * The largest number of words that one call of an {@link EventTrack} method adds to a chunk,
   * including the words at the head of the chunk. The owner begins the next chunk if at most this
   * number of words is free.
   */
  static final int ROOM = 8;

  /**
   * The number of names and creation sites that fit into a chunk. The owner begins the next chunk
   * early if this room is used up. Starts of many named goroutines can do that.
   */
  static final int NAMES = 128;

  private static final VarHandle SIZE = Handles.field(MethodHandles.lookup(), "size", int.class);
  private static final VarHandle NEXT =
      Handles.field(MethodHandles.lookup(), "next", EventChunk.class);

  final long[] words = new long[WORDS];
  final @Nullable Object[] names = new Object[NAMES];

  private int size;
  private @Nullable EventChunk next;

  void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }

  int sizeAcquire() {
    return (int) SIZE.getAcquire(this);
  }

  void nextRelease(EventChunk chunk) {
    NEXT.setRelease(this, chunk);
  }

  @Nullable EventChunk nextAcquire() {
    return (EventChunk) NEXT.getAcquire(this);
  }

  /** Writer thread: clears this chunk for reuse, after the owner has gone on to the next chunk. */
  void clear() {
    Arrays.fill(names, null);
    next = null;
    size = 0;
  }
}
