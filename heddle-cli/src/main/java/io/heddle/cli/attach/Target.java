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

/** Another JVM with Heddle in it, started with or without its agent. */
public final class Target implements AutoCloseable {
  /** A scheduler is shown to JMX a second after it was made. */
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
      throw new TargetException(
          "there is no process " + pid + ". " + JavaProcesses.whichThereAre());
    }
    if (!JavaProcesses.isOne(pid)) {
      throw new TargetException(
          "process "
              + pid
              + " is no JVM, or not one of this user. "
              + JavaProcesses.whichThereAre());
    }
    try {
      return new Target(pid, JMXConnectorFactory.connect(new JMXServiceURL(addressOf(pid))));
    } catch (IOException | AttachNotSupportedException e) {
      throw new TargetException(
          "process "
              + pid
              + " does not answer: "
              + e.getMessage()
              + ". It must be a JVM of the same user that has not -XX:+DisableAttachMechanism, and"
              + " has the module jdk.management.agent.",
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

  /** Its schedulers, at least one, by name. */
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
                + " is a JVM, but has no scheduler of Heddle's. 'heddle run' starts a program"
                + " with one.");
      }
      Thread.sleep(PAUSE);
    }
  }

  /** What a scheduler of it answers. */
  public <T> T ask(Supplier<T> question) throws TargetException {
    try {
      return question.get();
    } catch (UndeclaredThrowableException e) {
      throw new TargetException("process " + pid + " has ended", e);
    } catch (LinkageError e) {
      throw new TargetException(
          "process " + pid + " cannot answer, its heddle.jar is no longer what it was: " + e, e);
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
      // it has ended
    }
  }
}
