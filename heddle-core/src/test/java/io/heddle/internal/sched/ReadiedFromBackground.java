package io.heddle.internal.sched;

import io.heddle.Await;
import io.heddle.Go;
import io.heddle.internal.sched.BareSched.BareG;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A background goroutine wakes a goroutine of a scheduler whose only M is blocked, while the monitor
 * of that scheduler sleeps. Run in a JVM of its own, whose standard input stays open.
 */
public final class ReadiedFromBackground {
  private static final long IDLE_TIME = 10_000_000;

  private ReadiedFromBackground() {}

  public static void main(String[] args) throws Exception {
    BareSched bare = new BareSched().procs(2).idleTime(IDLE_TIME).open();
    BareG waiter = bare.go(LockSupport::park);
    Await.until(waiter.thread()::getState, Thread.State.WAITING);
    bare.go(ReadiedFromBackground::blockAnM);
    SchedCounters counters = SchedCounters.of(bare.sched());
    Await.until(() -> counters.threads() == 1 && counters.idleThreads() == 0);
    Await.until(monitor()::getState, Thread.State.WAITING);
    Go.background(() -> LockSupport.unpark(waiter.thread()));
    System.out.println("woken " + waiter.thread().join(Duration.ofSeconds(60)));
    Runtime.getRuntime().halt(0); // the blocked goroutine never ends
  }

  private static void blockAnM() {
    try {
      int _ = Go.blocking(System.in::read);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Thread monitor() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("heddle-bare-sysmon"))
        .findAny()
        .orElseThrow();
  }
}
