package io.heddle.cli.attach;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.heddle.ContainerMXBean;
import io.heddle.SchedulerMXBean;
import io.heddle.WatchMXBean;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A JMX connection to another JVM with Heddle in it, which may have been started without the agent.
 */
public final class Target implements AutoCloseable {
  /** A scheduler, and watch mode, register with JMX one second after their start. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final long PAUSE = 100;

  private final long pid;
  private final JMXConnector connector;
  private final MBeanServerConnection connection;

  private Target(long pid, JMXConnector connector) throws IOException {
    this.pid = pid;
    this.connector = connector;
    this.connection = connector.getMBeanServerConnection();
  }

  /** Connects to a JVM of the same user, at an address which that JVM itself gave. */
  @SuppressWarnings("BanJNDI")
  public static Target open(long pid) throws TargetException {
    JavaProcesses.requireJvm(pid);
    try {
      return new Target(pid, JMXConnectorFactory.connect(new JMXServiceURL(addressOf(pid))));
    } catch (IOException | AttachNotSupportedException e) {
      throw TargetException.doesNotAnswer(pid, e);
    }
  }

  private static String addressOf(long pid) throws IOException, AttachNotSupportedException {
    VirtualMachine vm = VirtualMachine.attach(Long.toString(pid));
    try {
      return vm.startLocalManagementAgent();
    } finally {
      vm.detach();
    }
  }

  /** The schedulers of the JVM, by name; at least one. */
  public List<SchedulerMXBean> schedulers() throws TargetException, InterruptedException {
    return await(
        "Scheduler,*",
        SchedulerMXBean.class,
        "a Heddle scheduler. 'heddle run' starts a program that has one.");
  }

  /** The watch of a JVM that was started in watch mode. */
  public WatchMXBean watch() throws TargetException, InterruptedException {
    return await("Watch", WatchMXBean.class, "watch mode. -javaagent:heddle.jar=watch starts it.")
        .getFirst();
  }

  /** The container of the JVM; null before its first scheduler is registered. */
  public @Nullable ContainerMXBean container() throws TargetException {
    List<ContainerMXBean> found = find("Container", ContainerMXBean.class);
    return found.isEmpty() ? null : found.getFirst();
  }

  private <T> List<T> await(String type, Class<T> bean, String missing)
      throws TargetException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (; ; ) {
      List<T> found = find(type, bean);
      if (!found.isEmpty()) {
        return found;
      }
      if (System.nanoTime() - end >= 0) {
        throw new TargetException("process " + pid + " is a JVM without " + missing);
      }
      Thread.sleep(PAUSE);
    }
  }

  /**
   * Asks a scheduler of the JVM; reports a JVM that has ended, or has a changed jar, as
   * {@link TargetException}.
   */
  public <T> T ask(Supplier<T> question) throws TargetException {
    try {
      return question.get();
    } catch (UndeclaredThrowableException e) {
      throw new TargetException("process " + pid + " has ended", e);
    } catch (LinkageError e) {
      throw new TargetException(
          "process " + pid + " cannot answer because its heddle.jar was replaced: " + e, e);
    }
  }

  private <T> List<T> find(String type, Class<T> bean) throws TargetException {
    try {
      Stream<ObjectName> names =
          connection.queryNames(new ObjectName("io.heddle:type=" + type), null).stream();
      return names.sorted().map(name -> JMX.newMXBeanProxy(connection, name, bean)).toList();
    } catch (IOException e) {
      throw new TargetException("process " + pid + " has ended", e);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // the JVM has ended
    }
  }
}
