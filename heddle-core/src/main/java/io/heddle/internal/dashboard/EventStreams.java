package io.heddle.internal.dashboard;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open event streams, each served by its own thread. Limits their number, and closes the
 * streams of clients that do not read.
 */
final class EventStreams {
  static final int MAX_STREAMS = 128;

  private final long patience;
  private final Set<Watcher> all = ConcurrentHashMap.newKeySet();

  EventStreams(RefreshRate pace) {
    this.patience = pace.patience();
  }

  /**
   * Registers a stream that the calling thread serves. Returns null if {@link #MAX_STREAMS} streams
   * are open already.
   */
  synchronized @Nullable Watcher enter() {
    if (all.size() >= MAX_STREAMS) {
      return null;
    }
    Watcher watcher = new Watcher(Thread.currentThread());
    all.add(watcher);
    return watcher;
  }

  int count() {
    return all.size();
  }

  /** Closes the streams whose present write takes too long. */
  void dropSlow() {
    long now = System.nanoTime();
    all.forEach(watcher -> watcher.dropIfSlow(now));
  }

  /** One open event stream and the thread that serves it. */
  final class Watcher {
    private @Nullable Thread thread; // null after the end of the stream
    private boolean writes; // whether the thread is in a write
    private long since; // when the present write began, or else the last one

    private Watcher(Thread thread) {
      this.thread = thread;
    }

    void write(OutputStream out, byte[] bytes) throws IOException {
      begin();
      out.write(bytes);
      out.flush();
      end();
    }

    private synchronized void begin() {
      writes = true;
      since = System.nanoTime();
    }

    private synchronized void end() {
      writes = false;
    }

    /** Interrupts a write that takes too long, which closes the connection. */
    private synchronized void dropIfSlow(long now) {
      if (thread != null && writes && now - since > patience) {
        thread.interrupt();
      }
    }

    /**
     * Ends the stream. Must be called by the thread that serves the stream, because it clears the
     * interrupt status of the caller. Afterwards that thread gets no further interrupt because of
     * this stream, so it can serve another request.
     */
    void leave() {
      all.remove(this);
      synchronized (this) {
        thread = null;
      }
      boolean _ = Thread.interrupted();
    }
  }
}
