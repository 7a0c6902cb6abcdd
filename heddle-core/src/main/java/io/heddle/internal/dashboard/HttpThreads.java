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
 * The threads that serve connections. Each thread serves one connection at a time. If all are busy
 * and a new connection comes, the thread that has waited longest for its client closes its
 * connection and takes the new one. A thread waits for its client while it reads a request or
 * writes a response.
 */
final class HttpThreads extends ThreadPoolExecutor {
  /*
   * The JDK's server has a time limit for slow clients, but only as a setting of the whole JVM. So
   * this class closes a connection by interrupting its thread: an interrupt during a read or a
   * write closes the connection. If the thread has ended its request before the interrupt, the pool
   * clears the interrupt before the next task.
   */
  /** The longest time that a new connection waits for the thread that was interrupted for it. */
  private static final long MAX_WAIT_MILLIS = 1_000;

  /** The threads that wait for their client, the longest wait first. Guarded by itself. */
  private final Set<Thread> waiting = new LinkedHashSet<>();

  HttpThreads(int most, ThreadFactory threads) {
    super(0, most, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    setRejectedExecutionHandler((task, _) -> makeRoomFor(task));
  }

  /**
   * Called on a thread of this pool: until {@link #end} the calling thread does not wait for its
   * client, so its connection is not closed.
   *
   * @throws IOException if the connection has been closed for another client
   */
  void begin() throws IOException {
    if (!setWaiting(Thread.currentThread(), false)) {
      boolean _ = Thread.interrupted();
      throw new IOException("the connection was closed in favour of another client");
    }
  }

  /**
   * Called on a thread of this pool: the calling thread waits for its client again, so its
   * connection may be closed for another client.
   */
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

  /** Adds or removes a waiting thread; returns whether that changed anything. */
  private boolean setWaiting(Thread thread, boolean waits) {
    synchronized (waiting) {
      return waits ? waiting.add(thread) : waiting.remove(thread);
    }
  }

  /**
   * Closes the connection whose thread has waited longest, and waits until that thread takes the
   * task.
   *
   * @throws RejectedExecutionException if the pool is shut down, if no thread waits for its client,
   *     or if the task is not taken within {@link #MAX_WAIT_MILLIS} or before an interrupt
   */
  private void makeRoomFor(Runnable task) {
    boolean taken = false;
    try {
      taken =
          !isShutdown()
              && hangUp()
              && getQueue().offer(task, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!taken) {
      throw new RejectedExecutionException("all threads of the dashboard are busy");
    }
  }

  /** Closes the connection whose thread has waited longest; false if no thread waits. */
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
