package io.heddle;

import io.heddle.internal.sched.GoroutineState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Base of the tests of the checks for deadlocks and leaks: many small programs at the same time, in
 * a process that is not at rest. A thread pool lives, and goroutines run all the time. The
 * goroutines of a program have its name.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StuckFixture {
  final Scheduler scheduler = build("server", 2);
  final Scheduler other = build("other", 1);
  final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final AtomicBoolean over = new AtomicBoolean();

  /** A program: starts goroutines with its name. */
  @FunctionalInterface
  interface Start {
    void start(String name) throws Exception;
  }

  /**
   * A program, and how many goroutines with its name wait in the end.
   *
   * @param name its name, which tells what it does
   */
  record StuckProgram(String name, int goroutines, Start start) {}

  abstract List<StuckProgram> programs();

  /** Makes a scheduler that says nothing of the interrupts with which the tests end. */
  private static Scheduler build(String name, int procs) {
    return Scheduler.builder().name(name).procs(procs).uncaught((_, _) -> {}).build();
  }

  @BeforeAll
  @HangGuard
  void startAll() throws Exception {
    pool.submit(() -> {}).get();
    scheduler.go(
        "busy",
        () -> {
          while (!over.get()) {
            Thread.yield();
          }
        });
    for (StuckProgram program : programs()) {
      program.start.start(program.name);
      Await.until(() -> waiting(program.name), program.goroutines);
    }
  }

  @AfterAll
  @HangGuard
  void endAll() {
    over.set(true);
    pool.shutdownNow();
    for (Scheduler each : List.of(scheduler, other)) {
      each.sched().registry().interruptAll();
    }
  }

  /** Returns how many goroutines called {@code name} wait. */
  private int waiting(String name) {
    return (int)
        List.of(scheduler, other).stream()
            .flatMap(each -> each.sched().registry().goroutines())
            .filter(g -> g.thread().getName().equals(name))
            .filter(g -> g.goroutineState() == GoroutineState.WAITING)
            .count();
  }

  /** Counts the reports by the name of the goroutine. */
  static Map<String, Integer> byName(List<String> names) {
    return names.stream().collect(Collectors.toMap(name -> name, _ -> 1, Integer::sum));
  }

  /** Waits until all goroutines for which {@code latch} was made are here. */
  static void meet(CountDownLatch latch) throws InterruptedException {
    latch.countDown();
    latch.await();
  }
}
