package child;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that does not use Heddle. Threads {@code hog-*} compute without an end, and threads
 * {@code job-*} do small pieces of work beside them. With an argument, the jobs are expected to
 * wait until the hogs end.
 */
public final class Tenants {
  private static final int HOGS = 4;
  private static final int JOBS = 100;
  private static final int PIECES = 10;
  private static final int STARVING_MILLIS = 300;

  private static volatile boolean over;
  private static final AtomicInteger HOGS_RUNNING = new AtomicInteger();
  private static final AtomicInteger PIECES_DONE = new AtomicInteger();

  private Tenants() {}

  public static void main(String[] args) throws Exception {
    warmUp();
    List<Thread> hogs = new ArrayList<>();
    for (int i = 0; i < HOGS; i++) {
      hogs.add(Thread.ofVirtual().name("hog-" + i).start(Tenants::compute));
    }
    while (HOGS_RUNNING.get() == 0) {
      Thread.onSpinWait();
    }
    CountDownLatch all = new CountDownLatch(JOBS);
    for (int i = 0; i < JOBS; i++) {
      Thread.ofVirtual().name("job-" + i).start(() -> work(all));
    }
    if (args.length > 0) {
      boolean _ = all.await(STARVING_MILLIS, TimeUnit.MILLISECONDS);
      System.out.println("pieces beside hogs " + PIECES_DONE);
    } else {
      all.await();
      System.out.println("pieces beside hogs " + PIECES_DONE);
    }
    over = true;
    for (Thread hog : hogs) {
      hog.join();
    }
    all.await();
    System.out.println("pieces " + PIECES_DONE + ", hogs " + HOGS_RUNNING);
  }

  /** Lets a hog and a job run and end, so that none waits for a class, and loses its P, later. */
  private static void warmUp() throws InterruptedException {
    over = true;
    Thread.ofVirtual().name("hog-first").start(Tenants::compute).join();
    Thread.ofVirtual().name("job-first").start(() -> work(new CountDownLatch(1))).join();
    over = false;
    HOGS_RUNNING.set(0);
    PIECES_DONE.set(0);
  }

  private static void compute() {
    HOGS_RUNNING.incrementAndGet();
    while (!over) {
      Thread.onSpinWait();
    }
  }

  private static void work(CountDownLatch all) {
    for (int i = 0; i < PIECES; i++) {
      PIECES_DONE.incrementAndGet();
      Thread.yield();
    }
    all.countDown();
  }
}
