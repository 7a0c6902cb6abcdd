package io.heddle.internal.cgroup;

import java.util.OptionalLong;

/**
 * The limits that the control groups of a process set. The groups are nested, and the least limit
 * counts. A value is empty if it is not known or there is no limit.
 *
 * @param milliCpus the CPU quota: the CPU time that the process may use per elapsed time, in
 *     thousandths of a CPU
 * @param cpuSet the number of CPUs on which the process may run
 * @param throttledPeriods the number of periods in which a quota was used up, so that the process
 *     stood still; the sum over the groups
 * @param throttledNanos how long the CPUs of the process stood still because of that; the sum over
 *     the groups and, as the system counts it, over the CPUs
 * @param memory the memory that the process may use, in bytes
 * @param machineMemory the memory of the machine, in bytes
 * @param processes the number of processes and threads that may exist in the group
 */
public record ContainerLimits(
    OptionalLong milliCpus,
    OptionalLong cpuSet,
    OptionalLong throttledPeriods,
    OptionalLong throttledNanos,
    OptionalLong memory,
    OptionalLong machineMemory,
    OptionalLong processes) {

  /** The largest default for the number of OS threads of a scheduler: Go's limit. */
  public static final int MAX_THREADS = 10_000;

  /** The least default: enough for the Ps of a small machine and some dozen blocking calls. */
  private static final int MIN_THREADS = 64;

  /** The stacks of all threads may take up to the memory divided by this number. */
  private static final int MEMORY_PER_STACKS = 2;

  /**
   * All threads may take up to this part of the processes: a half. The rest is for the JVM's own
   * threads, and for other processes of the container.
   */
  private static final int PROCESSES_PER_THREADS = 2;

  /**
   * The least default if the number of processes is limited. Half of the limit is never much less,
   * because a JVM does not start with a limit of twice this number.
   */
  private static final int MIN_SCARCE_THREADS = 16;

  /** Limits of which none is known. */
  public static final ContainerLimits NONE =
      new ContainerLimits(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty());

  /**
   * Returns how many threads can compute at a time, at least 1. A quota is rounded up to whole
   * CPUs.
   *
   * @param ofJvm the number of CPUs that the JVM reports, which the result does not exceed
   */
  public int cpus(int ofJvm) {
    long cpus = Math.min(ofJvm, cpuSet.orElse(ofJvm));
    if (milliCpus.isPresent()) {
      cpus = Math.min(cpus, Math.ceilDiv(milliCpus.getAsLong(), 1_000));
    }
    return (int) Math.max(1, cpus);
  }

  /**
   * Returns the default for the number of OS threads of a scheduler, at most {@link #MAX_THREADS}.
   * If all stacks grew to their full size of {@code stackBytes}, they would take at most half of
   * the memory. The threads are at most half of the processes. In a small container the result is
   * more than these halves, because it is at least {@link #MIN_THREADS}, or {@link
   * #MIN_SCARCE_THREADS} if processes are limited.
   */
  public int threads(long stackBytes) {
    OptionalLong bytes = least(memory, machineMemory);
    long threads = MAX_THREADS;
    if (bytes.isPresent()) {
      long stacks = bytes.getAsLong() / MEMORY_PER_STACKS / Math.max(1, stackBytes);
      threads = Math.clamp(stacks, MIN_THREADS, MAX_THREADS);
    }
    if (processes.isPresent()) {
      long half = processes.getAsLong() / PROCESSES_PER_THREADS;
      threads = Math.min(threads, Math.max(MIN_SCARCE_THREADS, half));
    }
    return (int) threads;
  }

  /**
   * Returns the lesser of two limits. An empty value is no limit, and the result is empty if both
   * are.
   */
  public static OptionalLong least(OptionalLong a, OptionalLong b) {
    return a.isPresent() && b.isPresent()
        ? OptionalLong.of(Math.min(a.getAsLong(), b.getAsLong()))
        : (a.isPresent() ? a : b);
  }
}
