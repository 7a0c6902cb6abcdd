package io.heddle.internal.jdk;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Reads how long a platform thread has run on a CPU. */
public final class CpuTime {
  /**
   * Holds the JVM's bean for CPU times. This class is loaded at first use, because loading the bean
   * takes longer than many programs run.
   */
  private static final class Bean {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final boolean KNOWS =
        THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
  }

  /** Whether the runtime image has the management module, which the bean for CPU times is in. */
  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private CpuTime() {}

  /**
   * The CPU time of {@code thread} in nanoseconds; always -1 if the system or this JVM does not
   * provide it.
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
