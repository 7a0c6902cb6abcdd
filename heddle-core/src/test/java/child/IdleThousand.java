package child;

import com.sun.management.OperatingSystemMXBean;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

/** A thousand goroutines park. The program prints what happens in the following two seconds. */
public final class IdleThousand {
  private static final int GOROUTINES = 1_000;

  private IdleThousand() {}

  public static void main(String[] args) throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(4).build();
    for (int i = 0; i < GOROUTINES; i++) {
      scheduler.go(() -> LockSupport.park());
    }
    while (!isIdle(scheduler.stats())) {
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
        "seconds=%s cpuSeconds=%s switches=%d threadParks=%d spinningThreads=%d busyProcs=%d"
            + " awakeThreads=%d goroutines=%d%n",
        (System.nanoTime() - start) / 1e9,
        (os.getProcessCpuTime() - cpu) / 1e9,
        after.switches() - before.switches(),
        after.threadParks() - before.threadParks(),
        after.spinningThreads(),
        after.procs() - after.idleProcs(),
        after.threads() - after.idleThreads(),
        after.goroutines());
  }

  private static boolean isIdle(Stats stats) {
    return stats.switches() >= GOROUTINES
        && stats.idleProcs() == stats.procs()
        && stats.idleThreads() == stats.threads();
  }
}
