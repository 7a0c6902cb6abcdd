package io.heddle.internal.trace;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The spare chunks of all tracks. Their number is limited, so that a writer that falls behind does
 * not exhaust the memory.
 *
 * <p>LIFO: the chunk returned last is reused first, because it is still in a cache. After the
 * writer has fallen behind once, there are many spare chunks, and a FIFO would fetch each of them
 * from memory.
 */
final class ChunkPool {
  private final int maxChunks;
  private final Deque<EventChunk> spare = new ConcurrentLinkedDeque<>();
  private final AtomicInteger made = new AtomicInteger();

  ChunkPool(int maxChunks) {
    this.maxChunks = maxChunks;
  }

  /** Any thread: takes a chunk; null if the limit is reached or there is no memory. */
  @Nullable EventChunk take() {
    EventChunk chunk = spare.poll();
    return chunk == null && made.get() < maxChunks ? make() : chunk;
  }

  /** Writer: clears a chunk and returns it to the pool. */
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
