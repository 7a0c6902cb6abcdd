package io.heddle.internal.cgroup;

import java.util.OptionalLong;

/**
 * What the control groups of a process allow it. Of several groups, one inside the other, the least
 * limit counts. A value that is not known, or not limited, is empty.
 *
 * @param milliCpus the CPU time per time (the quota), in thousandths of a CPU
 * @param cpuSet the number of CPUs on which the process may run
 * @param throttledPeriods in how many periods a quota was used up, so that the process stood still;
 *     the sum over the groups
 * @param throttledNanos how long the CPUs of the process stood still because of that; the sum over
 *     the groups and, as the system counts it, over the CPUs
 * @param memory the bytes of memory
 * @param machineMemory the bytes of memory of the machine
 * @param processes the number of processes and threads
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

  /** The stacks of all threads may take up to one of so many parts of the memory. */
  private static final int MEMORY_PER_STACKS = 2;

  /**
   * All threads may take up to this part of the processes: a half. The rest is for the JVM's own
   * threads, and for other processes of the container.
   */
  private static final int PROCESSES_PER_THREADS = 2;

  /** The least default where processes are scarce. A JVM does not start with twice as many. */
  private static final int MIN_SCARCE_THREADS = 16;

  /** Nothing is known. */
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
   * Returns how many threads can compute at a time: {@code ofJvm}, the number of CPUs that the JVM
   * reports, or less if a limit here is lower. A part of a CPU counts as a whole one.
   */
  public int cpus(int ofJvm) {
    long cpus = Math.min(ofJvm, cpuSet.orElse(ofJvm));
    if (milliCpus.isPresent()) {
      cpus = Math.min(cpus, Math.ceilDiv(milliCpus.getAsLong(), 1_000));
    }
    return (int) Math.max(1, cpus);
  }

  /**
   * Returns the default for the number of OS threads of a scheduler. If all stacks grew to their
   * full size of {@code stackBytes}, they would take half of the memory. The threads are half of
   * the processes.
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

  /** Returns the lesser of two limits; one that is empty is none. */
  public static OptionalLong least(OptionalLong a, OptionalLong b) {
    return a.isPresent() && b.isPresent()
        ? OptionalLong.of(Math.min(a.getAsLong(), b.getAsLong()))
        : (a.isPresent() ? a : b);
  }
}
