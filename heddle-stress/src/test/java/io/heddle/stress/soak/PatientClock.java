package io.heddle.stress.soak;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Time in which the process could do something: a process that is stopped for two minutes, or that hardly gets a CPU, has
 * not lost anybody.
 */
final class PatientClock {
  /*
   * Two clocks. One is the CPU time of the process: while one worker stands still the others compute, and so it moves. The
   * other is for the case that nobody computes, since all stand still: the wall's, but only where the thread that
   * advances it was on time, so that neither a stop nor a starved process counts.
   */
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** Somebody must call {@link #tick} so often. */
  static final long TICK = TimeUnit.MILLISECONDS.toNanos(250);

  /** So many times longer may nothing happen if nobody computes. */
  private static final int CALM = 2;

  private long last = System.nanoTime();
  private volatile long calm;
  private volatile long away;

  /** By one thread. */
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

  /** For how long the clock's own thread did not run when it should, in nanoseconds. */
  long away() {
    return away;
  }

  Mark mark() {
    return new Mark(cpuTime(), calm);
  }

  /** A time to look back to. */
  final class Mark {
    private final long cpuThen;
    private final long calmThen;

    private Mark(long cpuThen, long calmThen) {
      this.cpuThen = cpuThen;
      this.calmThen = calmThen;
    }

    /** Whether there was time enough since then for anything that can happen. */
    boolean isOlderThan(int seconds) {
      long nanos = TimeUnit.SECONDS.toNanos(seconds);
      return cpuTime() - cpuThen > nanos || calm - calmThen > CALM * nanos;
    }
  }
}
