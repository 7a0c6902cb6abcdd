package io.heddle;

/** The JMX object (MBean) of the container, which {@link JmxRegistry} registers. */
final class ContainerBean implements ContainerMXBean {
  @Override
  public double getCpus() {
    return ContainerStats.read().cpus();
  }

  @Override
  public long getMemoryBytes() {
    return ContainerStats.read().memoryBytes();
  }

  @Override
  public long getThrottledPeriods() {
    return ContainerStats.read().throttledPeriods();
  }

  @Override
  public double getThrottledSeconds() {
    return ContainerStats.read().throttledNanos() / 1e9;
  }
}
