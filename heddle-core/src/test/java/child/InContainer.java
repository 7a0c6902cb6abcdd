package child;

import io.heddle.ContainerStats;
import io.heddle.Go;
import io.heddle.Scheduler;
import java.util.concurrent.locks.LockSupport;

/**
 * Computes on all Ps. Prints the number of Ps and the limit on threads whenever they change, and
 * once that the container was throttled.
 */
public final class InContainer {
  private static final long PAUSE_NANOS = 20_000_000;

  private InContainer() {}

  public static void main(String[] args) {
    boolean hogs = args.length > 0;
    for (int i = 0; hogs && i < 4; i++) {
      Go.go(
          () -> {
            for (; ; ) {
              Thread.onSpinWait();
            }
          });
    }
    String before = "";
    boolean throttled = false;
    for (; ; ) {
      Scheduler shared = Scheduler.shared();
      String now = "procs " + shared.procs() + " threads " + shared.maxThreads();
      if (!now.equals(before)) {
        System.out.println(now);
        before = now;
      }
      if (!throttled && ContainerStats.read().throttledNanos() > 0) {
        System.out.println("throttled in " + (ContainerStats.read().throttledPeriods() > 0));
        throttled = true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
