package io.heddle.internal.trace;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The spare chunks of all tracks. A track ({@link EventTrack}) is the sequence of events of one
 * thread. Threads fill chunks with events, and the writer thread then writes these events to files.
 * The number of chunks that the pool makes is limited. Otherwise a writer thread that is slower
 * than the threads with events would exhaust the memory.
 *
 * <p>The pool is a stack (LIFO): the chunk returned last is reused first, because it is still in a
 * CPU cache. After the writer thread has fallen behind once, there are many spare chunks. A FIFO
 * queue would fetch each of them from main memory.
 */
final class ChunkPool {
  private final int maxChunks;
  private final Deque<EventChunk> spare = new ConcurrentLinkedDeque<>();
  private final AtomicInteger made = new AtomicInteger();

  ChunkPool(int maxChunks) {
    this.maxChunks = maxChunks;
  }

  /**
   * Any thread: takes a spare chunk or makes one. Returns null if the limit of chunks is reached or
   * there is no memory.
   */
  @Nullable EventChunk take() {
    EventChunk chunk = spare.poll();
    return chunk == null && made.get() < maxChunks ? make() : chunk;
  }

  /** Writer thread: clears a chunk and returns it to the pool. */
  void giveBack(EventChunk chunk) {
    chunk.clear();
    spare.push(chunk);
  }

  /** Drops all spare chunks, after the end of the last recording. */
  void forget() {
    for (EventChunk chunk = spare.poll(); chunk != null; chunk = spare.poll()) {
      made.decrementAndGet();
    }
  }

  private @Nullable EventChunk make() {
    try {
      EventChunk chunk = new EventChunk();
      made.incrementAndGet();
      return chunk;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }
}
