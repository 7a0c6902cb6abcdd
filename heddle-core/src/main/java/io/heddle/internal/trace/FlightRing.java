package io.heddle.internal.trace;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Keeps in memory the trace events of the last seconds, of all schedulers, as encoded batches.
 * Older batches are dropped. All methods are called on the writer's thread.
 */
public final class FlightRing implements Sink {
  /**
   * The age at which a batch is dropped: 10 s is long enough to show what led to a hang. A batch is
   * dropped earlier if all batches together exceed {@code maxBytes}.
   */
  private static final long NANOS = 10_000_000_000L;

  /** A batch of events of one track, and when it was received. */
  private record KeptBatch(
      Recording recording, Recording.OwnedTrack entry, byte[] batch, long time) {}

  private final long maxBytes;
  private final ArrayDeque<KeptBatch> kept = new ArrayDeque<>();
  private long bytes;
  private long dropped;

  FlightRing(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public boolean wants(Recording recording) {
    return true;
  }

  @Override
  public void events(Recording recording, Recording.OwnedTrack entry, byte[] batch) {
    long now = System.nanoTime();
    kept.add(new KeptBatch(recording, entry, batch, now));
    bytes += batch.length;
    for (KeptBatch first = kept.peek();
        first != null && (bytes > maxBytes || now - first.time > NANOS);
        first = kept.peek()) {
      kept.remove();
      dropped++;
      bytes -= first.batch.length;
    }
  }

  /**
   * Returns the number of batches that this ring has received so far. Dropped batches count, too.
   */
  long given() {
    return dropped + kept.size();
  }

  /**
   * Writes the batches that this ring still has, from number {@code first} on. The first batch that
   * the ring received has number 0.
   */
  void replay(long first, TraceFile file) throws IOException {
    long number = dropped;
    for (KeptBatch each : kept) {
      if (number++ >= first) {
        file.events(each.recording, each.entry, each.batch);
      }
    }
  }

  @Override
  public void flush() {}

  @Override
  public void failed(IOException e) {}
}
