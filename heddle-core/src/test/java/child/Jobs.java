package child;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that does not use Heddle. It starts jobs from a platform thread and from virtual
 * threads, and prints how many ran at a time at most, how many were refused, and on which
 * schedulers they ran, and which schedulers there are.
 */
public final class Jobs {
  private static final AtomicInteger ACTIVE = new AtomicInteger();
  private static final AtomicInteger MOST = new AtomicInteger();
  private static final AtomicInteger REFUSED = new AtomicInteger();

  private Jobs() {}

  public static void main(String[] args) throws Exception {
    List<Thread> starters = new ArrayList<>();
    starters.add(Thread.ofPlatform().start(() -> startJobs(100)));
    starters.add(Thread.ofVirtual().name("starter-1").start(() -> startJobs(100)));
    starters.add(Thread.ofVirtual().name("starter-2").start(() -> startJobs(100)));
    for (Thread starter : starters) {
      starter.join();
    }
    System.out.println("at most " + MOST + ", refused " + (REFUSED.get() > 0));
    print("job", "job-x");
    print("other", "other-x");
    print("child of job", "job-y", () -> print("child", "child-x"));
    print("job of other", "other-y", () -> print("job", "job-z"));
    System.out.println("schedulers " + schedulers());
    if (REFUSED.get() > 0) {
      full();
    }
  }

  /** Returns the names of the schedulers, by the names of their monitors. */
  private static List<String> schedulers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("heddle-") && name.endsWith("-sysmon"))
        .map(name -> name.substring("heddle-".length(), name.length() - "-sysmon".length()))
        .sorted()
        .toList();
  }

  /** Starts jobs that wait until no further one can start or ten have. */
  private static void full() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    List<Thread> waiting = new ArrayList<>();
    String end = "ten jobs";
    try {
      while (waiting.size() < 10) {
        waiting.add(Thread.ofVirtual().name("job-w").start(() -> await(gate)));
      }
    } catch (RejectedExecutionException e) {
      end = e.getMessage();
    }
    System.out.println(waiting.size() + " wait, then " + end);
    gate.countDown();
    for (Thread each : waiting) {
      each.join();
    }
  }

  private static void startJobs(int n) {
    List<Thread> jobs = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      try {
        jobs.add(JobMaker.start(i));
      } catch (RejectedExecutionException e) {
        REFUSED.incrementAndGet();
      }
    }
    jobs.forEach(Jobs::join);
  }

  /** Makes jobs, so that a limit can name the class that makes the threads. */
  private static final class JobMaker {
    static Thread start(int i) {
      return Thread.ofVirtual().name("job-" + i).start(Jobs::work);
    }
  }

  private static void work() {
    MOST.accumulateAndGet(ACTIVE.incrementAndGet(), Math::max);
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ACTIVE.decrementAndGet();
    }
  }

  private static void print(String what, String name) {
    print(what, name, () -> {});
  }

  /** Prints the scheduler of a new thread of that name, which then runs {@code more}. */
  private static void print(String what, String name, Runnable more) {
    runThrough(
        () -> {
          String thread = Thread.currentThread().toString();
          System.out.println(
              what + " " + thread.replaceAll(".*@", "").replaceAll("[-M]*\\d+.*", ""));
          more.run();
        },
        name);
  }

  /**
   * Starts a thread; tries again while earlier jobs, which have ended, have not left their places.
   */
  private static void runThrough(Runnable task, String name) {
    for (; ; ) {
      try {
        join(Thread.ofVirtual().name(name).start(task));
        return;
      } catch (RejectedExecutionException e) {
        Thread.yield();
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
