package io.heddle;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Registers schedulers with JMX. The only class that refers to classes of JMX, so it is loaded only
 * where the module is present and when it is needed.
 */
final class JmxRegistry {
  private static final String TYPE = "io.heddle:type=Scheduler,name=";

  private JmxRegistry() {}

  /** Loads JMX, which takes long the first time. */
  static void load() {
    ManagementFactory.getPlatformMBeanServer();
  }

  /** Registers {@code scheduler} and returns its name; null if that failed, which is logged. */
  static @Nullable Object register(Scheduler scheduler) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    String name = TYPE + quotedIfNeeded(scheduler.sched().name());
    try {
      for (int id = 1; ; id++) {
        ObjectName tried = new ObjectName(id == 1 ? name : name + ",id=" + id);
        try {
          return server.registerMBean(new SchedulerBean(scheduler), tried).getObjectName();
        } catch (InstanceAlreadyExistsException e) {
          // the next number
        }
      }
    } catch (JMException | RuntimeException e) {
      scheduler.sched().logLater("cannot be registered with JMX", e);
      return null;
    }
  }

  static void unregister(Object name) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean((ObjectName) name);
    } catch (JMException e) {
      // unregistered already by other code
    }
  }

  private static String quotedIfNeeded(String name) {
    return name.matches("[\\w. /+-]+") ? name : ObjectName.quote(name);
  }
}
