package io.heddle.internal.jdk;

import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads how long a platform thread has run on a CPU. */
public final class CpuTime {
  /**
   * Holds the JVM's bean for CPU times. This class is loaded at first use, because loading the bean
   * takes longer than many programs run.
   */
  private static final class Bean {
    static final ThreadMXBean THREADS = threads();
    static final boolean KNOWS =
        THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    /**
     * Returns the bean. If java.lang is open, this does not load the registry of all beans of the
     * JVM, which takes some milliseconds to load. Few programs need that registry.
     */
    private static ThreadMXBean threads() {
      if (VirtualThreads.isOpen()) {
        try {
          Class<?> helper = Class.forName("sun.management.ManagementFactoryHelper");
          return (ThreadMXBean)
              JdkLookup.in(helper)
                  .findStatic(helper, "getThreadMXBean", MethodType.methodType(ThreadMXBean.class))
                  .invokeExact();
        } catch (Throwable t) {
          // this JDK has other internals
        }
      }
      return ManagementFactory.getThreadMXBean();
    }
  }

  /** Whether the runtime image has the management module, which the bean for CPU times is in. */
  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private CpuTime() {}

  /**
   * Returns the CPU time of {@code thread}, a platform thread, in nanoseconds. Returns -1 if the
   * thread is not alive, or if the system or this JVM does not provide CPU times.
   */
  public static long of(Thread thread) {
    if (!PRESENT || !Bean.KNOWS) {
      return -1;
    }
    return thread == Thread.currentThread()
        ? Bean.THREADS.getCurrentThreadCpuTime() // needs no search for the thread
        : Bean.THREADS.getThreadCpuTime(thread.threadId());
  }
}
