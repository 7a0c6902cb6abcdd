package io.heddle.servers;

import com.sun.tools.attach.VirtualMachine;
import io.heddle.SchedulerMXBean;
import java.io.IOException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The shared scheduler of another process, over JMX, as the commands of {@code heddle} see it. */
record SharedScheduler(JMXConnector connector, SchedulerMXBean bean) implements AutoCloseable {
  static SharedScheduler of(ChildProgram program) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(Long.toString(program.pid()));
    JMXConnector connector;
    try {
      connector = JMXConnectorFactory.connect(new JMXServiceURL(vm.startLocalManagementAgent()));
    } finally {
      vm.detach();
    }
    MBeanServerConnection connection = connector.getMBeanServerConnection();
    ObjectName name = new ObjectName("io.heddle:type=Scheduler,name=shared");
    while (!connection.isRegistered(name)) {
      Thread.onSpinWait(); // it registers a second after its start
    }
    return new SharedScheduler(
        connector, JMX.newMXBeanProxy(connection, name, SchedulerMXBean.class));
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
