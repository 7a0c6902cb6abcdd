package child;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program that does not use Heddle. It prints how it was started, and which threads of the JDK
 * its sleeping virtual threads needed.
 */
public final class Launched {
  private Launched() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("fail")) {
      throw new IllegalStateException("as asked");
    }
    if (args.length > 0 && args[0].equals("exit")) {
      System.exit(7);
    }
    System.out.println("arguments " + Arrays.toString(args));
    System.out.println("main thread " + Thread.currentThread().getName());
    System.out.println("class path " + System.getProperty("java.class.path"));
    System.out.println("command " + System.getProperty("sun.java.command"));
    System.out.println(
        "java.util is open "
            + Object.class.getModule().isOpen("java.util", Launched.class.getModule()));
    sleep();
    System.out.println("timer threads " + threads("VirtualThread-unparker"));
  }

  /** Waits with a time limit in each way that the JDK has. */
  private static void sleep() throws InterruptedException {
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    List<Thread> sleepers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sleepers.add(Thread.startVirtualThread(() -> sleepInEachWay(monitor, lock)));
    }
    for (Thread sleeper : sleepers) {
      sleeper.join();
    }
  }

  private static void sleepInEachWay(Object monitor, ReentrantLock lock) {
    try {
      Thread.sleep(Duration.ofMillis(2));
      boolean _ = new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS);
      synchronized (monitor) {
        monitor.wait(2);
      }
      if (lock.tryLock(100, TimeUnit.SECONDS)) {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      System.out.println("interrupted");
    }
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .count();
  }
}
