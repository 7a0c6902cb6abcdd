package io.heddle.stress.soak;

import io.heddle.Scheduler;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;

/**
 * Checks that every worker makes progress, reports every 30 seconds, and ends the process with
 * dumps if a worker is stuck.
 */
final class Monitor implements Runnable {
  private static final long LINE = TimeUnit.SECONDS.toNanos(30);

  private record Seen(long steps, PatientClock.Mark since) {}

  private final World world;
  private final long start = System.nanoTime();
  private final List<Worker> workers = new CopyOnWriteArrayList<>();
  private final Map<Worker, Seen> seen = new HashMap<>();
  private volatile int mostThreads;
  private volatile boolean done;
  private volatile String phase = "";

  Monitor(World world) {
    this.world = world;
  }

  Thread start() {
    return Thread.ofPlatform().name("soak-monitor").daemon().start(this);
  }

  void watch(List<Worker> these) {
    workers.clear();
    workers.addAll(these);
  }

  void phase(String now) {
    phase = now;
  }

  void end() {
    done = true;
  }

  /** The maximum number of Ms of all schedulers together. */
  int mostThreads() {
    return mostThreads;
  }

  @Override
  public void run() {
    long nextLine = start + LINE;
    while (!done) {
      LockSupport.parkNanos(PatientClock.TICK);
      world.clock.tick();
      look();
      if (System.nanoTime() - nextLine >= 0) {
        nextLine = System.nanoTime() + LINE;
        System.out.println(line());
      }
    }
  }

  private void look() {
    int threads = world.schedulers.stream().mapToInt(s -> s.stats().threads()).sum();
    mostThreads = Math.max(mostThreads, threads);
    seen.keySet().retainAll(workers);
    for (Worker worker : workers) {
      Seen last = seen.get(worker);
      if (last == null || last.steps != worker.steps() || worker.hasEnded()) {
        seen.put(worker, new Seen(worker.steps(), world.clock.mark()));
      } else if (last.since.isOlderThan(world.plan.patience())) {
        stalled(worker + " has made no step after its " + last.steps + "th");
      }
    }
  }

  /** Halts, because the workers cannot be joined any more. */
  void stalled(String what) {
    world.tally.failed("stall", new AssertionError(what));
    System.out.println(line());
    dump();
    Report.write(world, this, List.of(), null);
    System.out.println("soak: FAILED: " + what);
    System.out.flush();
    Runtime.getRuntime().halt(1);
  }

  private void dump() {
    for (Scheduler scheduler : world.schedulers) {
      System.out.println(scheduler + "\n" + scheduler.stats() + "\n" + scheduler.dump());
    }
    try {
      Object threads =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      System.out.println(threads);
    } catch (Exception e) {
      System.out.println("no thread print: " + e);
    }
  }

  long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }

  private String line() {
    long operations =
        world.tally.kinds().values().stream().mapToLong(k -> k.operations.sum()).sum();
    StringBuilder goroutines = new StringBuilder();
    world.schedulers.forEach(s -> goroutines.append(' ').append(s.goroutines()));
    Runtime jvm = Runtime.getRuntime();
    return "%5d s, %s: %,d operations, goroutines%s, %d Ms at most, heap %d MB, CPU %d s, away %d s, %d failures"
        .formatted(
            seconds(),
            phase,
            operations,
            goroutines,
            mostThreads,
            (jvm.totalMemory() - jvm.freeMemory()) >> 20,
            TimeUnit.NANOSECONDS.toSeconds(PatientClock.cpuTime()),
            TimeUnit.NANOSECONDS.toSeconds(world.clock.away()),
            world.tally.failures());
  }
}
