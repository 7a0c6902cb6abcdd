package io.heddle.internal.trace;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The spare chunks of all tracks: so many at most that a writer that falls behind does not use up the memory. */
final class Chunks {
  private final int most;
  private final Queue<Chunk> spare = new ConcurrentLinkedQueue<>();
  private final AtomicInteger made = new AtomicInteger();

  Chunks(int most) {
    this.most = most;
  }

  /** From any thread, at any time; null if there are none, or no memory for one. */
  @Nullable Chunk take() {
    Chunk chunk = spare.poll();
    return chunk == null && made.get() < most ? make() : chunk;
  }

  /** For the writer. */
  void giveBack(Chunk chunk) {
    chunk.clear();
    spare.add(chunk);
  }

  /** Nobody records any more. */
  void forget() {
    for (Chunk chunk = spare.poll(); chunk != null; chunk = spare.poll()) {
      made.decrementAndGet();
    }
  }

  private @Nullable Chunk make() {
    try {
      Chunk chunk = new Chunk();
      made.incrementAndGet();
      return chunk;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }
}
