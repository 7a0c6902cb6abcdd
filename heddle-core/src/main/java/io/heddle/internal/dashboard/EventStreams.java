package io.heddle.internal.dashboard;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Those that are sent what happens, each by a thread of its own: not too many, and none that does not read. */
final class EventStreams {
  static final int MOST = 128;

  private final long patience;
  private final Set<Watcher> all = ConcurrentHashMap.newKeySet();

  EventStreams(RefreshRate pace) {
    this.patience = pace.patience();
  }

  /** One of them, on its own thread; null if there are too many. */
  synchronized @Nullable Watcher enter() {
    if (all.size() >= MOST) {
      return null;
    }
    Watcher watcher = new Watcher(Thread.currentThread());
    all.add(watcher);
    return watcher;
  }

  int count() {
    return all.size();
  }

  void dropSlow() {
    long now = System.nanoTime();
    all.forEach(watcher -> watcher.dropIfSlow(now));
  }

  final class Watcher {
    private @Nullable Thread thread;
    private boolean writes;
    private long since;

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

    /** An interrupt closes the connection under a write. */
    private synchronized void dropIfSlow(long now) {
      if (thread != null && writes && now - since > patience) {
        thread.interrupt();
      }
    }

    /** From now on its thread is somebody else's: no interrupt comes any more. */
    void leave() {
      all.remove(this);
      synchronized (this) {
        thread = null;
      }
      boolean _ = Thread.interrupted();
    }
  }
}
