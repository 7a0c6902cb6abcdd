package io.heddle.cli.lab;

import io.heddle.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A model of threads that tasks are run on.
 *
 * @param on how many at the same time, in words
 * @param executor starts a task; does not wait for it
 * @param end waits for what runs, and ends the threads
 */
record Contender(String name, String on, Executor executor, Runnable end) implements AutoCloseable {
  static final String HEDDLE = "Heddle";

  /** No threads at all: each task is done before the next begins. */
  static Contender oneByOne() {
    return new Contender("one after the other", "1 thread", Runnable::run, () -> {});
  }

  static Contender threads() {
    return of("one thread per task", "all CPUs", Executors.newThreadPerTaskExecutor(Thread::new));
  }

  static Contender pool(int threads) {
    return of(
        "ThreadPoolExecutor",
        count(threads, "thread"),
        new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
  }

  static Contender forkJoin(int threads) {
    return of("ForkJoinPool", count(threads, "thread"), new ForkJoinPool(threads));
  }

  /** How many carriers the JDK has cannot be told to it from within a program. */
  static Contender virtualThreads() {
    return of("JDK virtual threads", "all CPUs", Executors.newVirtualThreadPerTaskExecutor());
  }

  static Contender heddle(int procs) {
    return heddle(procs, Scheduler.builder());
  }

  /** For what a busy machine must not disturb: nobody's slice is over because the system let it wait. */
  static Contender patientHeddle(int procs) {
    return heddle(procs, Scheduler.builder().timeSlice(Duration.ofMinutes(1)));
  }

  private static Contender heddle(int procs, Scheduler.Builder builder) {
    Scheduler scheduler = builder.name("lab").procs(procs).build();
    return new Contender(
        HEDDLE, count(procs, "P"), task -> scheduler.go(task::run), scheduler::close);
  }

  private static Contender of(String name, String on, ExecutorService executor) {
    return new Contender(name, on, executor, executor::close);
  }

  private static String count(int n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  boolean isHeddle() {
    return name.equals(HEDDLE);
  }

  @Override
  public void close() {
    end.run();
  }
}
