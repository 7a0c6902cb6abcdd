package io.heddle;

import io.heddle.internal.cgroup.Container;
import io.heddle.internal.cgroup.ContainerLimits;

/**
 * The limits that the container sets for this program, and how long the program has stood still
 * because of its CPU quota. The figures come from Linux' control groups, version 1 or 2. They
 * include the limits of the parent groups, as far as the process can see these groups.
 *
 * {@snippet :
 * ContainerStats container = ContainerStats.read();
 * double seconds = container.throttledNanos() / 1e9;
 * System.out.println(container.cpus() + " CPUs, throttled for " + seconds + " s");
 * }
 *
 * <p>A limit of 0 means that there is no limit. Each figure is also 0 if it is not known, as in
 * other operating systems.
 *
 * @param cpus the CPU quota: the CPU time that the program may use, divided by the elapsed time.
 *     For example, 1.5 is one and a half CPUs
 * @param memoryBytes the memory that the program may use
 * @param throttledPeriods the number of quota periods, usually of 100 ms, in which the program used
 *     up its CPU quota
 * @param throttledNanos how long the CPUs of the program stood still because of that, summed over
 *     the CPUs
 */
public record ContainerStats(
    double cpus, long memoryBytes, long throttledPeriods, long throttledNanos) {

  /**
   * Reads the figures, which are at most a second old. Any thread may call this.
   *
   * @return a snapshot
   */
  public static ContainerStats read() {
    ContainerLimits limits = Container.limits();
    return new ContainerStats(
        limits.milliCpus().orElse(0) / 1_000.0,
        limits.memory().orElse(0),
        limits.throttledPeriods().orElse(0),
        limits.throttledNanos().orElse(0));
  }
}
