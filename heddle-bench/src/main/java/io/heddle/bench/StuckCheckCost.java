package io.heddle.bench;

import com.sun.management.OperatingSystemMXBean;
import io.heddle.Chan;
import io.heddle.Scheduler;
import io.heddle.SchedulerMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Measures what a check for deadlocks and leaks costs in a program with many goroutines that wait:
 * the CPU time of the process, the threads of the collector included, and the elapsed time. Only
 * the former means something on a busy machine. Run by hand; the argument is the number of
 * goroutines.
 */
public final class StuckCheckCost {
  private static final int ROUNDS = 5;
  private static final int WAIT_MILLIS = 1_500; // a check looks at waits of a second or more

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private StuckCheckCost() {}

  public static void main(String[] args) throws Exception {
    int goroutines = args.length == 0 ? 100_000 : Integer.parseInt(args[0]);
    Chan<String> never = Chan.make();
    try (Scheduler scheduler = Scheduler.builder().name("checked").uncaught((_, _) -> {}).build()) {
      for (int i = 0; i < goroutines; i++) {
        scheduler.go(never::receive);
      }
      SchedulerMXBean bean = beanOf("checked");
      Thread.sleep(WAIT_MILLIS);
      System.out.println(goroutines + " goroutines that wait and can be woken");
      measure("findDeadlocked", () -> bean.findDeadlocked().size());
      measure("System.gc alone", StuckCheckCost::collect);
      measure("findLeaked", () -> bean.findLeaked().size());
      never.close();
      while (scheduler.goroutines() > 0) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < goroutines; i++) {
        scheduler.go(() -> Chan.make().receive());
      }
      Thread.sleep(WAIT_MILLIS);
      System.out.println(goroutines + " goroutines that have leaked");
      measure("findLeaked", () -> bean.findLeaked().size());
      scheduler.shutdownNow();
    }
  }

  private static int collect() {
    System.gc();
    return 0;
  }

  /** Returns the bean of a scheduler, which is registered about a second after it was made. */
  private static SchedulerMXBean beanOf(String scheduler) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.heddle:type=Scheduler,name=" + scheduler);
    for (; ; ) {
      try {
        server.getObjectInstance(name);
        return JMX.newMXBeanProxy(server, name, SchedulerMXBean.class);
      } catch (InstanceNotFoundException e) {
        Thread.sleep(100);
      }
    }
  }

  private static void measure(String what, Supplier<Integer> check) {
    long[] times = new long[ROUNDS];
    long[] cpu = new long[ROUNDS];
    int found = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      long used = PROCESS.getProcessCpuTime();
      found = check.get();
      cpu[i] = PROCESS.getProcessCpuTime() - used;
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    Arrays.sort(cpu);
    System.out.printf(
        "%-16s %4d found; median of %d: %5d ms of CPU time, %5d ms elapsed%n",
        what, found, ROUNDS, cpu[ROUNDS / 2] / 1_000_000, times[ROUNDS / 2] / 1_000_000);
  }
}
