package io.heddle;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Registers schedulers with JMX. This class refers to the module {@code java.management}, so
 * without that module the JVM cannot link it. {@link Management} uses it only if the JVM has the
 * module.
 */
final class JmxRegistry {
  private static final String CONTAINER = "io.heddle:type=Container";
  private static final String TYPE = "io.heddle:type=Scheduler,name=";

  private JmxRegistry() {}

  /**
   * Loads the classes of JMX, makes the JVM's MBean server, and registers the bean of the
   * container. This takes long the first time.
   */
  static void load() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      server.registerMBean(new ContainerBean(), new ObjectName(CONTAINER));
    } catch (JMException | RuntimeException e) {
      // The bean is registered already, or another copy of Heddle has registered its own bean.
    }
  }

  /**
   * Registers {@code scheduler} and returns its ObjectName, for {@link #unregister}. If the
   * registration fails, logs why and returns null. The type of the result is Object, so that
   * callers do not refer to JMX.
   */
  static @Nullable Object register(Scheduler scheduler) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    String name = TYPE + quotedIfNeeded(scheduler.name());
    try {
      for (int id = 1; ; id++) {
        ObjectName tried = new ObjectName(id == 1 ? name : name + ",id=" + id);
        try {
          return server.registerMBean(new SchedulerBean(scheduler), tried).getObjectName();
        } catch (InstanceAlreadyExistsException e) {
          // Another scheduler has this name: try the next id.
        }
      }
    } catch (JMException | RuntimeException e) {
      scheduler.logLater("cannot be registered with JMX", e);
      return null;
    }
  }

  static void unregister(Object name) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean((ObjectName) name);
    } catch (JMException e) {
      // Code outside of Heddle has unregistered it already.
    }
  }

  private static String quotedIfNeeded(String name) {
    return name.matches("[\\w. /+-]+") ? name : ObjectName.quote(name);
  }
}
