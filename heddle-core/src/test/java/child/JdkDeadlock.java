package child;

import io.heddle.Go;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Two goroutines wait for each other in what the first argument names: monitors, locks or joins.
 * With a second argument the program ends when both wait and Heddle has looked for deadlocks.
 */
public final class JdkDeadlock {
  private static final AtomicReference<Thread> MAIN = new AtomicReference<>();
  private static final AtomicReference<Thread> OTHER = new AtomicReference<>();

  private JdkDeadlock() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 1) {
      Thread.ofPlatform().daemon().start(JdkDeadlock::endWhenBothWait);
    }
    switch (args[0]) {
      case "monitors" -> monitors();
      case "locks" -> locks();
      case "joins" -> joins();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void monitors() throws Exception {
    Object first = new Object();
    Object second = new Object();
    CyclicBarrier both = new CyclicBarrier(2);
    Go.main(
        () -> {
          Go.go("other", () -> other(() -> inside(second, first, both)));
          main(() -> inside(first, second, both));
        });
  }

  private static void inside(Object mine, Object other, CyclicBarrier both) throws Exception {
    synchronized (mine) {
      both.await();
      synchronized (other) {
        System.out.println("no deadlock");
      }
    }
  }

  private static void locks() throws Exception {
    ReentrantLock first = new ReentrantLock();
    ReentrantLock second = new ReentrantLock();
    CyclicBarrier both = new CyclicBarrier(2);
    Go.main(
        () -> {
          Go.go("other", () -> other(() -> inside(second, first, both)));
          main(() -> inside(first, second, both));
        });
  }

  private static void inside(ReentrantLock mine, ReentrantLock other, CyclicBarrier both)
      throws Exception {
    mine.lock();
    try {
      both.await();
      other.lock();
      System.out.println("no deadlock");
    } finally {
      mine.unlock();
    }
  }

  private static void joins() throws Exception {
    Go.main(
        () ->
            main(
                () -> {
                  CyclicBarrier both = new CyclicBarrier(2);
                  Go.go("other", () -> other(() -> join(MAIN, both)));
                  join(OTHER, both);
                }));
  }

  private static void join(AtomicReference<Thread> thread, CyclicBarrier both) throws Exception {
    both.await();
    thread.get().join();
  }

  private interface Body {
    void run() throws Exception;
  }

  private static void main(Body body) throws Exception {
    MAIN.set(Thread.currentThread());
    body.run();
  }

  private static void other(Body body) throws Exception {
    OTHER.set(Thread.currentThread());
    body.run();
  }

  /** Heddle looks for deadlocks before its monitor thread falls asleep. */
  private static void endWhenBothWait() {
    while (!waits(MAIN.get()) || !waits(OTHER.get()) || !monitorSleeps()) {
      Thread.onSpinWait();
    }
    System.out.println("both wait");
    System.exit(0);
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread == null ? Thread.State.NEW : thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.BLOCKED;
  }

  /** Whether Heddle's monitor thread sleeps. */
  private static boolean monitorSleeps() {
    Thread[] all = new Thread[100];
    ThreadGroup root = Thread.currentThread().getThreadGroup().getParent();
    int n = root.enumerate(all);
    return Stream.of(all).limit(n).anyMatch(JdkDeadlock::isSleepingMonitor);
  }

  private static boolean isSleepingMonitor(Thread thread) {
    return thread.getName().endsWith("-sysmon") && thread.getState() == Thread.State.WAITING;
  }
}
