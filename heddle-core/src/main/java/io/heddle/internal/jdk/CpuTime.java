package io.heddle.internal.jdk;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long a platform thread was on a CPU. */
public final class CpuTime {
  /** Found when it is first needed: to load it takes longer than many programs run. */
  private static final class Bean {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final boolean KNOWS =
        THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
  }

  /** A JVM may have been put together without it. */
  private static final boolean PRESENT =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private CpuTime() {}

  /** In nanoseconds; always -1 where the system, or this JVM, does not tell. */
  public static long of(Thread thread) {
    return PRESENT && Bean.KNOWS ? Bean.THREADS.getThreadCpuTime(thread.threadId()) : -1;
  }
}
