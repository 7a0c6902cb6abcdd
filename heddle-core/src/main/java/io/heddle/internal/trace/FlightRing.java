package io.heddle.internal.trace;

import java.io.IOException;
import java.util.ArrayDeque;

/** The last seconds of all schedulers, in memory. */
public final class FlightRing implements Sink {
  /** Long enough to see what led to a hang that somebody noticed; the bytes are the other limit. */
  private static final long NANOS = 10_000_000_000L;

  private record Kept(Recording recording, Recording.Entry entry, byte[] batch, long time) {}

  private final long most;
  private final ArrayDeque<Kept> kept = new ArrayDeque<>();
  private long bytes;
  private long dropped;

  FlightRing(long most) {
    this.most = most;
  }

  @Override
  public boolean wants(Recording recording) {
    return true;
  }

  @Override
  public void events(Recording recording, Recording.Entry entry, byte[] batch) {
    long now = System.nanoTime();
    kept.add(new Kept(recording, entry, batch, now));
    bytes += batch.length;
    for (Kept first = kept.peek();
        first != null && (bytes > most || now - first.time > NANOS);
        first = kept.peek()) {
      kept.remove();
      dropped++;
      bytes -= first.batch.length;
    }
  }

  /** How many batches have been given to it so far. */
  long given() {
    return dropped + kept.size();
  }

  /** Gives on those it has, from the one of that number on. */
  void replay(long first, TraceFile file) throws IOException {
    long number = dropped;
    for (Kept each : kept) {
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
