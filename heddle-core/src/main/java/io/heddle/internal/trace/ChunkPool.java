package io.heddle.internal.trace;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The spare chunks of all tracks: so many at most that a writer that falls behind does not use up the memory.
 *
 * <p>The one that came back last is given out first: after the writer has once fallen behind there are many, and to go
 * through all of them in turn would take each from memory instead of from a cache.
 */
final class ChunkPool {
  private final int most;
  private final Deque<EventChunk> spare = new ConcurrentLinkedDeque<>();
  private final AtomicInteger made = new AtomicInteger();

  ChunkPool(int most) {
    this.most = most;
  }

  /** From any thread, at any time; null if there are none, or no memory for one. */
  @Nullable EventChunk take() {
    EventChunk chunk = spare.poll();
    return chunk == null && made.get() < most ? make() : chunk;
  }

  /** For the writer. */
  void giveBack(EventChunk chunk) {
    chunk.clear();
    spare.push(chunk);
  }

  /** Nobody records any more. */
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
