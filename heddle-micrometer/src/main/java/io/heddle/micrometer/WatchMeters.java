package io.heddle.micrometer;

import io.heddle.WatchMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.MalformedObjectNameException;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The meters of watch mode in one registry. The agent registers its bean a second after the start
 * of the program, and only in watch mode, so the meters appear when the bean does.
 */
final class WatchMeters {
  /*
   * The listener is added before the bean is looked for. A bean that appears between the two is
   * found by both; register() does its work once.
   */
  private static final String WAIT = "heddle.watch.wait";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ObjectName name = nameOfTheBean();
  private final WatchMXBean bean = JMX.newMXBeanProxy(server, name, WatchMXBean.class);
  private final NotificationListener listener = (what, _) -> heard(what);
  private final MeterRegistry registry;
  private final Tags tags;

  // Guarded by this.
  private final List<Meter> meters = new ArrayList<>();
  private boolean registered;
  private boolean closed;
  private @Nullable WatchReading latest;

  private WatchMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  static WatchMeters follow(MeterRegistry registry, Tags tags) {
    WatchMeters meters = new WatchMeters(registry, tags);
    try {
      meters.server.addNotificationListener(
          MBeanServerDelegate.DELEGATE_NAME, meters.listener, null, null);
    } catch (JMException e) {
      throw new IllegalStateException("an MBean server always has its delegate", e);
    }
    if (meters.server.isRegistered(meters.name)) {
      meters.register();
    }
    return meters;
  }

  private static ObjectName nameOfTheBean() {
    try {
      return new ObjectName("io.heddle:type=Watch");
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private void heard(Notification what) {
    if (what instanceof MBeanServerNotification each
        && each.getType().equals(MBeanServerNotification.REGISTRATION_NOTIFICATION)
        && each.getMBeanName().equals(name)) {
      register();
    }
  }

  /** Stops to listen, and removes the meters. */
  void close() {
    List<Meter> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(meters);
    }
    try {
      server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
    } catch (JMException e) {
      // Removed already, by an earlier close.
    }
    all.forEach(registry::remove);
  }

  private void register() {
    synchronized (this) {
      if (registered) {
        return;
      }
      registered = true;
    }
    waits();
    counter(
        "heddle.watch.starvations",
        Tags.empty(),
        "How often no carrier of the JDK's scheduler was free for an interval of watch mode.",
        WatchReading::starvations);
    counter(
        "heddle.watch.starved.seconds",
        Tags.empty(),
        "How long no carrier of the JDK's scheduler was free, in seconds.",
        WatchReading::starvedSeconds);
    held("computing", r -> r.held().computing());
    held("native", r -> r.held().inNative());
    held("pinned", r -> r.held().pinned());
    keep(
        Gauge.builder("heddle.watch.queued.max", this, each -> each.reading().mostQueued())
            .description("The largest number of virtual threads that waited for a carrier.")
            .tags(tags)
            .register(registry));
  }

  private void waits() {
    String what = "How long virtual threads waited for a carrier of the JDK's scheduler.";
    keep(
        FunctionTimer.builder(
                WAIT,
                this,
                each -> each.reading().waits().samples(),
                each -> each.reading().waits().totalNanos(),
                TimeUnit.NANOSECONDS)
            .description(what)
            .tags(tags)
            .register(registry));
    for (String upTo : reading().buckets().keySet()) {
      counter(WAIT + ".histogram", Tags.of("le", upTo), what, r -> r.upTo(upTo));
    }
  }

  private void held(String cause, ToDoubleFunction<WatchReading> figure) {
    counter(
        "heddle.watch.held.seconds",
        Tags.of("cause", cause),
        "How long carriers were held while no carrier was free, in seconds.",
        figure);
  }

  private void counter(String name, Tags more, String what, ToDoubleFunction<WatchReading> figure) {
    keep(
        FunctionCounter.builder(name, this, each -> figure.applyAsDouble(each.reading()))
            .description(what)
            .tags(tags.and(more))
            .register(registry));
  }

  private void keep(Meter meter) {
    synchronized (this) {
      if (!closed) {
        meters.add(meter);
        return;
      }
    }
    registry.remove(meter);
  }

  private synchronized WatchReading reading() {
    WatchReading reading = latest;
    if (reading == null || !reading.isValid()) {
      reading = WatchReading.of(bean);
      latest = reading;
    }
    return reading;
  }
}
