package io.heddle;

/**
 * What the container allows this program, in JMX, under the name {@code io.heddle:type=Container}:
 * see {@link ContainerStats}. It is registered together with the first scheduler, and stays.
 *
 * <p>All methods can be called from any thread. A figure of 0 means that there is no limit, or that
 * it is not known.
 */
public interface ContainerMXBean {
  /**
   * Returns the CPU time that the program may use per time.
   *
   * @return a number of CPUs, such as 1.5
   */
  double getCpus();

  /**
   * Returns the memory that the program may use.
   *
   * @return a number of bytes
   */
  long getMemoryBytes();

  /**
   * Returns in how many periods the CPU time was used up, so that the program stood still.
   *
   * @return a count since the container was made
   */
  long getThrottledPeriods();

  /**
   * Returns how long the CPUs of the program stood still, because its CPU time was used up.
   *
   * @return a sum in seconds since the container was made, over all CPUs
   */
  double getThrottledSeconds();
}
