package io.heddle.stress.soak;

import io.heddle.Chan;
import io.heddle.Scheduler;
import io.heddle.Timer;
import io.heddle.internal.sched.AtRest;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs all kinds of work at once, for an hour or the given time:
 * {@code java -javaagent:heddle.jar=adopt -cp ... Soak minutes=60}. Exits with 0 and a report if
 * nothing was lost, with 1 if something was, with 2 if the arguments are wrong.
 */
public final class Soak {
  /*
   * Work is done in rounds. At the end of each round all workers finish their steps, and everything
   * must come to rest: no goroutine, timer or waiter is left, no new descriptor is open, and the
   * invariants hold. The schedulers live through all rounds. The state after the first round is the
   * baseline of the later ones, because the first round loads and opens things permanently.
   */

  /** Far more than the number of all blocked goroutines. */
  private static final int MOST_THREADS = 400;

  private final World world;
  private final Monitor monitor;
  private final Locks locks = new Locks();
  private final List<Load> loads =
      List.of(
          new Spawns(),
          new Channels(),
          new Selects(),
          locks,
          new Timings(),
          new Contexts(),
          new Groups(),
          new Hogs(),
          new Blockers(),
          new Sockets(),
          new JdkThreads(),
          new Interrupts(),
          new Passing(),
          new Onlookers(),
          new Procs());
  private final List<Long> heap = new ArrayList<>();
  private final List<Object> kept = new ArrayList<>();
  private final SplittableRandom random;
  private Descriptors before;

  /** If not, a further round would only find the same errors. */
  private boolean atRest = true;

  private Soak(Plan plan) throws Exception {
    world = new World(plan);
    monitor = new Monitor(world);
    random = new SplittableRandom(plan.seed());
  }

  public static void main(String[] args) throws Exception {
    Plan plan;
    try {
      plan = Plan.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("soak: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(new Soak(plan).run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    System.out.println("soak: " + world.plan + " on JDK " + Runtime.version());
    if (!isAdopted()) {
      System.err.println(
          "soak: virtual threads are not adopted: -javaagent:heddle.jar=adopt is missing");
      return false;
    }
    Thread watching = monitor.start();
    long end = System.nanoTime() + (long) (world.plan.seconds() * 1e9);
    for (int round = 1;
        atRest && (round <= Plan.LEAST_ROUNDS || System.nanoTime() - end < 0);
        round++) {
      round(round);
    }
    monitor.phase("closing");
    checkHeap();
    close();
    monitor.end();
    watching.join();
    boolean good = world.tally.failures() == 0;
    Report.write(world, monitor, heap, before);
    deleteFolder();
    System.out.println(
        "soak: " + (good ? "nothing was lost" : "FAILED: " + world.tally.failures() + " failures"));
    return good;
  }

  private static boolean isAdopted() throws InterruptedException {
    boolean[] adopted = new boolean[1];
    Thread.ofVirtual().start(() -> adopted[0] = Scheduler.current() == Scheduler.shared()).join();
    return adopted[0];
  }

  private void round(int number) throws Exception {
    monitor.phase("round " + number);
    commitFlaws(number);
    world.setOver(false);
    List<Worker> workers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Load load : loads) {
      for (int i = 0; i < load.workers(); i++) {
        hire(load, workers, threads);
      }
    }
    monitor.watch(workers);
    threads.forEach(Thread::start);
    long roundEnd = System.nanoTime() + (long) (world.plan.round() * 1e9);
    while (System.nanoTime() - roundEnd < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    world.setOver(true);
    monitor.phase("end of round " + number);
    for (Thread thread : threads) {
      thread.join();
    }
    check(number);
  }

  private void hire(Load load, List<Worker> workers, List<Thread> threads) {
    boolean all = load.where() == Load.Where.EVERYWHERE;
    if (all || load.where() == Load.Where.GOROUTINES) {
      hire(load, "on narrow", world.narrow()::threadFactory, workers, threads);
      hire(load, "on wide", world.wide()::threadFactory, workers, threads);
    }
    if (all || load.where() == Load.Where.PLAIN) {
      hire(load, "adopted", () -> Thread.ofVirtual().factory(), workers, threads);
    }
    if (all || load.where() == Load.Where.OUTSIDE) {
      hire(load, "outside", () -> Thread.ofPlatform().factory(), workers, threads);
    }
  }

  private void hire(
      Load load,
      String place,
      java.util.function.Supplier<java.util.concurrent.ThreadFactory> factory,
      List<Worker> workers,
      List<Thread> threads) {
    Worker worker = new Worker(world, load, place, random.split());
    workers.add(worker);
    threads.add(factory.get().newThread(worker));
  }

  /** All workers have ended: nothing of their work may be left. */
  private void check(int round) throws Exception {
    String who = "round " + round;
    awaitRest(who);
    attempt(who, locks::checkAtRest);
    for (Scheduler scheduler : world.schedulers) {
      attempt(who, () -> new AtRest(scheduler).check());
    }
    Descriptors now = Descriptors.now(world.folder);
    if (before == null) {
      before = now;
    }
    String more = now.moreThan(before);
    attempt(who, () -> Expect.that(more.isEmpty(), "descriptors open: " + more));
    int threads = monitor.mostThreads();
    attempt(who, () -> Expect.that(threads < MOST_THREADS, threads + " Ms"));
    heap.add(usedHeap());
  }

  private void awaitRest(String who) {
    PatientClock.Mark since = world.clock.mark();
    for (Scheduler scheduler : world.schedulers) {
      AtRest rest = new AtRest(scheduler);
      String left = rest.left();
      while (!left.isEmpty() && !since.isOlderThan(world.plan.rest())) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        left = rest.left();
      }
      if (!left.isEmpty()) {
        System.out.println(scheduler.dump());
        world.tally.failed(who, new AssertionError("no rest: " + left));
        atRest = false;
      }
    }
  }

  private void attempt(String who, Runnable check) {
    try {
      check.run();
    } catch (AssertionError | RuntimeException e) {
      world.tally.failed(who, e);
    }
  }

  private static long usedHeap() {
    Runtime jvm = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0;
        i < 3;
        i++) { // one collection clears references, the next one collects their owners
      System.gc();
      least = Math.min(least, jvm.totalMemory() - jvm.freeMemory());
    }
    return least;
  }

  private void checkHeap() {
    Quarters quarters = Quarters.of(heap);
    attempt("heap", () -> Expect.that(!quarters.grows(), "the heap grows: " + quarters));
  }

  private void close() throws Exception {
    for (Scheduler scheduler : List.of(world.narrow(), world.wide())) {
      if (scheduler.goroutines() > 0) {
        scheduler.shutdownNow();
      } else {
        scheduler.close();
      }
      attempt("the end", () -> Expect.same("Ms of " + scheduler, scheduler.stats().threads(), 0));
    }
  }

  private void deleteFolder() throws Exception {
    try (var files = Files.list(world.folder)) {
      List<Path> left = files.toList();
      attempt("the end", () -> Expect.that(left.isEmpty(), "files left: " + left));
      for (Path file : left) {
        Files.delete(file);
      }
    }
    Files.delete(world.folder);
  }

  /**
   * The flaws that the checks must detect: from the second round on, because the first one is the
   * baseline.
   */
  private void commitFlaws(int round) throws Exception {
    if (world.plan.has(Plan.Flaw.HEAP)) {
      kept.add(new byte[20 << 20]);
    }
    if (round < 2) {
      return;
    }
    if (world.takeFlaw(Plan.Flaw.GOROUTINE)) {
      Chan<Integer> never = Chan.make();
      kept.add(never);
      world.wide().go("left behind", never::receive);
    }
    if (world.takeFlaw(Plan.Flaw.DESCRIPTOR)) {
      kept.add(new FileInputStream(Files.createTempFile(world.folder, "kept", "").toFile()));
    }
    if (world.takeFlaw(Plan.Flaw.TIMER)) {
      world.narrow().run(() -> kept.add(Timer.schedule(Duration.ofHours(5), () -> {})));
    }
  }
}
