package io.heddle.stress.soak;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time in which the process was able to run: a process that is suspended for two
 * minutes, or that hardly gets a CPU, has not lost a worker.
 */
final class PatientClock {
  /*
   * There are two clocks. The first is the CPU time of the process: it advances because the other
   * workers compute while one is stuck. The second covers the case that all workers are stuck: it
   * is the wall clock, counted only while the thread that advances it was on time, so that neither
   * a suspended nor a starved process counts.
   */
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** A thread must call {@link #tick} at this interval. */
  static final long TICK = TimeUnit.MILLISECONDS.toNanos(250);

  /** The factor by which the limit is longer if no thread computes. */
  private static final int CALM = 2;

  private long last = System.nanoTime();
  private volatile long calm;
  private volatile long away;

  /** Called by one thread. */
  void tick() {
    long now = System.nanoTime();
    long passed = now - last;
    last = now;
    if (passed < 2 * TICK) {
      calm += passed;
    } else {
      away += passed - TICK;
    }
  }

  static long cpuTime() {
    return SYSTEM.getProcessCpuTime();
  }

  /** The time in nanoseconds for which the clock's own thread did not run when it should have. */
  long away() {
    return away;
  }

  Mark mark() {
    return new Mark(cpuTime(), calm);
  }

  /** A time to compare with later. */
  final class Mark {
    private final long cpuThen;
    private final long calmThen;

    private Mark(long cpuThen, long calmThen) {
      this.cpuThen = cpuThen;
      this.calmThen = calmThen;
    }

    /** Whether enough time has passed since then for every possible event. */
    boolean isOlderThan(int seconds) {
      long nanos = TimeUnit.SECONDS.toNanos(seconds);
      return cpuTime() - cpuThen > nanos || calm - calmThen > CALM * nanos;
    }
  }
}
