package io.heddle.agent;

import io.heddle.SchedulerMXBean.LatencySummary;
import io.heddle.WatchMXBean;
import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.watch.CarrierWatch;
import io.heddle.internal.watch.WatchPage;
import io.heddle.internal.watch.WatchReport;
import io.heddle.internal.watch.WatchText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Watch mode: observes the JDK's scheduler. Reports at the end of the program, and through JMX. */
final class Watching {
  /**
   * The delay before the registration with JMX. Short programs end within this delay and need not
   * load JMX. No tool looks at a program in its first second.
   */
  private static final long BEAN_DELAY_NANOS = 1_000_000_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final String NAME = "io.heddle:type=Watch";
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private Watching() {}

  /**
   * Starts to watch. Only the first call has an effect.
   *
   * @param interval the nanoseconds between two wake-ups of the probe, the virtual thread whose
   *     wait for a carrier is measured
   * @param page the file for the HTML page that is written at the end of the program; null for none
   * @throws ReflectiveOperationException if Heddle does not know the scheduler of this JDK
   */
  static void begin(long interval, @Nullable Path page) throws ReflectiveOperationException {
    if (!BEGUN.compareAndSet(false, true)) {
      return;
    }
    CarrierWatch watch = CarrierWatch.start(interval);
    JfrEvents.look();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("heddle-watch-end").unstarted(() -> end(watch, page)));
    if (ModuleLayer.boot().findModule("java.management").isPresent()) {
      Thread _ =
          Thread.ofPlatform()
              .group(SystemThreadGroup.get())
              .daemon()
              .name("heddle-watch-bean")
              .start(() -> register(watch));
    }
  }

  private static void end(CarrierWatch watch, @Nullable Path page) {
    WatchReport report = watch.report();
    watch.close();
    System.err.print(WatchText.of(report));
    if (page != null) {
      try {
        Files.writeString(page, WatchPage.of(report));
      } catch (IOException e) {
        System.err.println("heddle: the page " + page + " cannot be written: " + e);
      }
    }
  }

  private static void register(CarrierWatch watch) {
    long end = System.nanoTime() + BEAN_DELAY_NANOS;
    for (long left; (left = end - System.nanoTime()) > 0; ) {
      LockSupport.parkNanos(left);
    }
    JfrEvents.watch();
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new WatchBean(watch), new ObjectName(NAME));
    } catch (JMException e) {
      System.err.println("heddle: watch mode cannot be registered with JMX: " + e);
    }
  }

  /** Shows the results of {@code watch} in JMX. */
  private record WatchBean(CarrierWatch watch) implements WatchMXBean {
    @Override
    public Map<String, Long> getWaitMicros() {
      WatchReport.Waits waits = watch.report().waits();
      Map<String, Long> micros = new LinkedHashMap<>();
      micros.put("p50", waits.p50() / 1_000);
      micros.put("p90", waits.p90() / 1_000);
      micros.put("p99", waits.p99() / 1_000);
      micros.put("p99.9", waits.p999() / 1_000);
      micros.put("longest", waits.longest() / 1_000);
      return micros;
    }

    @Override
    public LatencySummary getWaits() {
      WatchReport.Waits waits = watch.report().waits();
      return new LatencySummary(
          waits.upTo("+Inf"),
          waits.total(),
          waits.upTo("0.0001"),
          waits.upTo("0.001"),
          waits.upTo("0.01"),
          waits.upTo("0.1"),
          waits.upTo("1"));
    }

    @Override
    public Map<String, Long> getWaitBuckets() {
      return watch.report().waits().cumulative();
    }

    @Override
    public long getStarvations() {
      return watch.report().starvations();
    }

    @Override
    public long getStarvedMillis() {
      return watch.report().starved() / 1_000_000;
    }

    @Override
    public double getStarvedSeconds() {
      return watch.report().starved() / NANOS_PER_SECOND;
    }

    @Override
    public HeldSeconds getHeldSeconds() {
      WatchReport report = watch.report();
      return new HeldSeconds(
          report.heldBy("computing") / NANOS_PER_SECOND,
          report.heldBy("pinned") / NANOS_PER_SECOND,
          report.heldBy("native") / NANOS_PER_SECOND);
    }

    @Override
    public long getMostQueued() {
      return watch.report().mostQueued();
    }

    @Override
    public List<Holder> getHolders() {
      return watch.report().holders().stream()
          .map(
              each ->
                  new Holder(each.kind(), each.place(), each.held() / 1_000_000, each.samples()))
          .toList();
    }

    @Override
    public String report() {
      return WatchText.of(watch.report());
    }

    @Override
    public String page() {
      return WatchPage.of(watch.report());
    }
  }
}
