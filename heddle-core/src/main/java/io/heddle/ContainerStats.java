package io.heddle;

import io.heddle.internal.cgroup.Container;
import io.heddle.internal.cgroup.ContainerLimits;

/**
 * What the container allows this program, and how long it has stood still because its CPU time was
 * used up. The figures are those of Linux' control groups, of version 1 or 2, also of the groups
 * around the one of the process as far as they are visible.
 *
 * {@snippet :
 * ContainerStats container = ContainerStats.read();
 * System.out.println(container.cpus() + " CPUs, throttled " + container.throttledNanos() / 1e9 + "
 * s"); }
 *
 * <p>A figure of 0 means that there is no limit, or that it is not known, as in other operating
 * systems.
 *
 * @param cpus the CPU time that the program may use per time: 1.5 is one and a half CPUs
 * @param memoryBytes the memory that the program may use
 * @param throttledPeriods in how many periods, of mostly 100 ms, its CPU time was used up
 * @param throttledNanos how long its CPUs stood still because of that, summed over the CPUs
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
