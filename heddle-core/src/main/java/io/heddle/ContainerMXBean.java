package io.heddle;

/**
 * The limits that the container sets for this program, in JMX, under the name {@code
 * io.heddle:type=Container}: see {@link ContainerStats}. The bean is registered together with the
 * first scheduler, and stays registered.
 *
 * <p>All methods can be called from any thread. A limit of 0 means that there is no limit. Each
 * figure is also 0 if it is not known.
 */
public interface ContainerMXBean {
  /**
   * Returns the CPU quota of the program: the CPU time that it may use, divided by the elapsed
   * time.
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
   * Returns the number of quota periods in which the program used up its CPU quota, and so stood
   * still. A period usually has 100 ms.
   *
   * @return a count since the container was made
   */
  long getThrottledPeriods();

  /**
   * Returns how long the CPUs of the program stood still, because the program had used up its CPU
   * quota.
   *
   * @return a sum in seconds since the container was made, over all CPUs
   */
  double getThrottledSeconds();
}
