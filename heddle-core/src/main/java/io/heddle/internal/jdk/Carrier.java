package io.heddle.internal.jdk;

import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.CarrierThread;

/**
 * A platform thread that carries virtual threads. The JDK tells this carrier before a virtual
 * thread blocks it.
 *
 * <p>The JDK calls {@link #beginBlocking} before some blocking calls, such as forcing or locking a
 * file, or looking up a host. It does so only if the carrier is a {@code CarrierThread}. In the JDK
 * these threads are the workers of the default scheduler's pool. This class extends {@code
 * CarrierThread}, but is no such worker: it runs no task of that pool, and the pool does not know
 * it.
 *
 * <p>Must not be loaded unless {@link VirtualThreads#isOpen}, because its superclass is not
 * exported otherwise.
 */
public abstract class Carrier extends CarrierThread {
  /*
   * If a worker of a ForkJoinPool submits a task to that pool, the task goes to the worker's own
   * queue. Workers scan only the queues of workers that are registered with the pool. If a carrier
   * counted as a worker of the JDK's pool, a virtual thread of the JDK's scheduler that a goroutine
   * unparks would be lost. It would lie in the carrier's queue, which no worker scans. The carrier
   * is therefore constructed as a worker of a pool that gets no tasks and never has a thread.
   *
   * getPool() nevertheless returns the JDK's pool. A virtual thread of the JDK's scheduler that is
   * started on this carrier must go to that pool.
   */
  private static final class NoPool {
    static final ForkJoinPool POOL = new ForkJoinPool(1);
  }

  /** Makes a daemon thread that inherits no thread locals and has the system class loader. */
  @SuppressWarnings("this-escape") // the constructor only names and marks it
  protected Carrier(String name) {
    super(NoPool.POOL);
    setName(name);
    CarrierQueue.markNonEmpty(this);
  }

  @Override
  public final ForkJoinPool getPool() {
    return VirtualThreads.defaultPool();
  }

  /** What the thread does from its start to its end, instead of a pool worker's loop. */
  @Override
  public abstract void run();

  /**
   * Called when a virtual thread is about to block this carrier. Returns whether {@link
   * #endBlocking} must follow.
   */
  @Override
  public abstract boolean beginBlocking();

  /**
   * Called after a blocking call for which {@link #beginBlocking} returned true. Also called each
   * time a virtual thread has unmounted, except at its end.
   */
  @Override
  public abstract void endBlocking();

  /**
   * Always 1. If it were 0, the JDK would submit a thread that has unmounted and is runnable again
   * to {@link #getPool()}, and not to the executor of that thread.
   */
  @Override
  public final int getQueuedTaskCount() {
    return 1;
  }
}
