package child;

import com.sun.management.OperatingSystemMXBean;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thousand goroutines park, or sleep for hours if the argument is "asleep". The program prints
 * what happens in the following two seconds.
 */
public final class IdleGoroutines {
  private static final int GOROUTINES = 1_000;

  private IdleGoroutines() {}

  public static void main(String[] args) throws Exception {
    boolean asleep = args[0].equals("asleep");
    Scheduler scheduler = Scheduler.builder().procs(4).build();
    for (int i = 0; i < GOROUTINES; i++) {
      Duration d = Duration.ofHours(1 + i);
      scheduler.go(asleep ? () -> Go.sleep(d) : LockSupport::park);
    }
    while (!isIdle(scheduler.stats()) || (asleep && sysmon().getState() != Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
    SchedulerSettled.await();
    OperatingSystemMXBean os = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Stats before = scheduler.stats();
    long cpu = os.getProcessCpuTime();
    long start = System.nanoTime();
    Thread.sleep(2_000); // the measured interval
    Stats after = scheduler.stats();
    System.out.printf(
        "seconds=%s cpuSeconds=%s switches=%d threadParks=%d timersFired=%d spinningThreads=%d"
            + " busyProcs=%d awakeThreads=%d goroutines=%d keepers=%d sysmonAsleep=%d%n",
        (System.nanoTime() - start) / 1e9,
        (os.getProcessCpuTime() - cpu) / 1e9,
        after.switches() - before.switches(),
        after.threadParks() - before.threadParks(),
        after.timersFired(),
        after.spinningThreads(),
        after.procs() - after.idleProcs(),
        after.threads() - after.idleThreads(),
        after.goroutines(),
        Thread.getAllStackTraces().entrySet().stream()
            .filter(entry -> isTimekeeper(entry.getValue()))
            .count(),
        sysmon().getState() == Thread.State.WAITING ? 1 : 0);
    System.exit(0);
  }

  private static boolean isTimekeeper(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getMethodName().equals("sleepAsTimekeeper")) {
        return true;
      }
    }
    return false;
  }

  private static Thread sysmon() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("-sysmon"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isIdle(Stats stats) {
    return stats.switches() >= GOROUTINES
        && stats.idleProcs() == stats.procs()
        && stats.idleThreads() == stats.threads();
  }
}
