package io.heddle.internal.dashboard;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that hear what is asked for, each of one connection at a time. When all are taken, the one that has waited
 * longest for its client to say something, to end its request or to take its answer hangs up for who comes next.
 */
final class HttpThreads extends ThreadPoolExecutor {
  /*
   * The JDK's server has a limit of its own for such clients, but only as a setting of the whole JVM. An interrupt closes
   * the connection under a read, as it does under a write: see Watchers. The pool clears what comes too late.
   */
  private static final long PATIENCE = 1_000;

  /** The longest first. Guarded by itself. */
  private final Set<Thread> waiting = new LinkedHashSet<>();

  HttpThreads(int most, ThreadFactory threads) {
    super(0, most, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    setRejectedExecutionHandler((task, _) -> makeRoomFor(task));
  }

  /**
   * On one of these threads: it is not its client that it waits for from now on, until {@link #end}.
   *
   * @throws IOException if its client has been hung up on
   */
  void begin() throws IOException {
    if (!setWaiting(Thread.currentThread(), false)) {
      boolean _ = Thread.interrupted();
      throw new IOException("too many wait");
    }
  }

  void end() {
    boolean _ = setWaiting(Thread.currentThread(), true);
  }

  @Override
  protected void beforeExecute(Thread thread, Runnable task) {
    boolean _ = setWaiting(thread, true);
  }

  @Override
  protected void afterExecute(Runnable task, Throwable thrown) {
    boolean _ = setWaiting(Thread.currentThread(), false);
  }

  /** Whether that was new. */
  private boolean setWaiting(Thread thread, boolean waits) {
    synchronized (waiting) {
      return waits ? waiting.add(thread) : waiting.remove(thread);
    }
  }

  private void makeRoomFor(Runnable task) {
    boolean taken = false;
    try {
      taken = !isShutdown() && hangUp() && getQueue().offer(task, PATIENCE, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!taken) {
      throw new RejectedExecutionException("all are busy");
    }
  }

  private boolean hangUp() {
    synchronized (waiting) {
      Iterator<Thread> longest = waiting.iterator();
      if (!longest.hasNext()) {
        return false;
      }
      longest.next().interrupt();
      longest.remove();
      return true;
    }
  }
}
