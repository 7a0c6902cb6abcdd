package io.heddle.cli.attach;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.heddle.SchedulerMXBean;
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

/**
 * A JMX connection to another JVM with Heddle in it, which may have been started without the agent.
 */
public final class Target implements AutoCloseable {
  /** A scheduler registers with JMX one second after its creation. */
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
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new TargetException("there is no process " + pid + ". " + JavaProcesses.listOfJvms());
    }
    if (!JavaProcesses.isJvm(pid)) {
      throw new TargetException(
          "process "
              + pid
              + " is not a JVM, or belongs to another user. "
              + JavaProcesses.listOfJvms());
    }
    try {
      return new Target(pid, JMXConnectorFactory.connect(new JMXServiceURL(addressOf(pid))));
    } catch (IOException | AttachNotSupportedException e) {
      throw new TargetException(
          "process "
              + pid
              + " does not answer: "
              + e.getMessage()
              + ". It must be a JVM of the same user, without -XX:+DisableAttachMechanism and"
              + " with the module jdk.management.agent.",
          e);
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
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (; ; ) {
      List<SchedulerMXBean> found = find();
      if (!found.isEmpty()) {
        return found;
      }
      if (System.nanoTime() - end >= 0) {
        throw new TargetException(
            "process "
                + pid
                + " is a JVM without a Heddle scheduler. 'heddle run' starts a program"
                + " that has one.");
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

  private List<SchedulerMXBean> find() throws TargetException {
    try {
      Stream<ObjectName> names =
          connection.queryNames(new ObjectName("io.heddle:type=Scheduler,*"), null).stream();
      return names
          .sorted()
          .map(name -> JMX.newMXBeanProxy(connection, name, SchedulerMXBean.class))
          .toList();
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
