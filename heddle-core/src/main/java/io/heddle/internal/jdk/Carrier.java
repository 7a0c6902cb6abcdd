package io.heddle.internal.jdk;

import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.CarrierThread;

/**
 * A thread that carries virtual threads, and which the JDK tells when one of them is about to block it.
 *
 * <p>The JDK marks some of its blocking calls (forcing a file, locking one, looking up a host) for carriers of its own
 * kind. It takes them for workers of its pool, which ours never is: it runs no task of the pool, and the pool does not
 * know it.
 *
 * <p>May be loaded only when {@link VirtualThreads#isOpen}: its superclass is hidden otherwise.
 */
public abstract class Carrier extends CarrierThread {
  /*
   * A pool puts what a worker of its own submits on that worker's queue, which only workers look at that are registered:
   * a virtual thread of the JDK's that a goroutine unparks would be lost there. So this is a worker of a pool that nobody
   * submits anything to, and which never has a thread. Asked for its pool, though, it names the JDK's: there go the
   * virtual threads of the JDK's scheduler that are started from here.
   */
  private static final class NoPool {
    static final ForkJoinPool POOL = new ForkJoinPool(1);
  }

  /** A daemon, without the thread locals of the caller, and with the system class loader. */
  @SuppressWarnings("this-escape") // a name is all that is set
  protected Carrier(String name) {
    super(NoPool.POOL);
    setName(name);
  }

  @Override
  public final ForkJoinPool getPool() {
    return VirtualThreads.defaultPool();
  }

  /** What it does from its start to its end, instead of working for the pool. */
  @Override
  public abstract void run();

  /** A virtual thread on it is about to block it; true if {@link #endBlocking} is to be called behind that. */
  @Override
  public abstract boolean beginBlocking();

  /** Behind a call that blocked; also whenever a virtual thread has stepped off, blocked or not. */
  @Override
  public abstract void endBlocking();

  /** Not 0, or the JDK would give virtual threads that step off to the pool. */
  @Override
  public final int getQueuedTaskCount() {
    return 1;
  }
}
