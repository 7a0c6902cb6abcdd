package io.heddle.micrometer;

import io.heddle.SchedulerMXBean.LatencySummary;
import io.heddle.WatchMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** Results of watch mode that do not change, in place of the agent's bean. */
final class FixedWatch implements WatchMXBean, AutoCloseable {
  private static final String NAME = "io.heddle:type=Watch";

  private FixedWatch() {}

  static FixedWatch register() throws JMException {
    FixedWatch watch = new FixedWatch();
    ManagementFactory.getPlatformMBeanServer().registerMBean(watch, new ObjectName(NAME));
    return watch;
  }

  @Override
  public void close() throws JMException {
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
  }

  @Override
  public Map<String, Long> getWaitMicros() {
    return Map.of("p50", 20L, "longest", 900_000L);
  }

  @Override
  public LatencySummary getWaits() {
    return new LatencySummary(100, 9_000_000_000L, 60, 70, 80, 90, 100);
  }

  @Override
  public Map<String, Long> getWaitBuckets() {
    return Map.of("0.0001", 60L, "0.001", 70L, "0.01", 80L, "0.1", 90L, "1", 100L, "+Inf", 100L);
  }

  @Override
  public long getStarvations() {
    return 7;
  }

  @Override
  public long getStarvedMillis() {
    return 2_500;
  }

  @Override
  public double getStarvedSeconds() {
    return 2.5;
  }

  @Override
  public HeldSeconds getHeldSeconds() {
    return new HeldSeconds(1.5, 0.75, 0.25);
  }

  @Override
  public long getMostQueued() {
    return 57;
  }

  @Override
  public List<Holder> getHolders() {
    return List.of();
  }

  @Override
  public String report() {
    return "";
  }

  @Override
  public String page() {
    return "";
  }
}
