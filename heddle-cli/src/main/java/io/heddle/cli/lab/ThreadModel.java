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
 * A thread model: a way to run tasks on threads.
 *
 * @param on how many tasks run at the same time, in words
 * @param executor starts a task and does not wait for it
 * @param end waits for running tasks and ends the threads
 */
record ThreadModel(String name, String on, Executor executor, Runnable end)
    implements AutoCloseable {
  static final String HEDDLE = "Heddle";

  /** No concurrency: each task is done before the next one starts. */
  static ThreadModel oneByOne() {
    return new ThreadModel("one after the other", "1 thread", Runnable::run, () -> {});
  }

  static ThreadModel threads() {
    return of("one thread per task", "all CPUs", Executors.newThreadPerTaskExecutor(Thread::new));
  }

  static ThreadModel pool(int threads) {
    return of(
        "ThreadPoolExecutor",
        count(threads, "thread"),
        new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
  }

  static ThreadModel forkJoin(int threads) {
    return of("ForkJoinPool", count(threads, "thread"), new ForkJoinPool(threads));
  }

  /** The JDK's virtual threads. A running program cannot set their number of carriers. */
  static ThreadModel virtualThreads() {
    return of("JDK virtual threads", "all CPUs", Executors.newVirtualThreadPerTaskExecutor());
  }

  static ThreadModel heddle(int procs) {
    return heddle(procs, Scheduler.builder());
  }

  /**
   * Heddle with a time slice of one minute, for a result that a busy machine must not disturb: no
   * slice expires while the operating system suspends the thread.
   */
  static ThreadModel heddleWithoutTimeSlices(int procs) {
    return heddle(procs, Scheduler.builder().timeSlice(Duration.ofMinutes(1)));
  }

  private static ThreadModel heddle(int procs, Scheduler.Builder builder) {
    Scheduler scheduler = builder.name("lab").procs(procs).build();
    return new ThreadModel(
        HEDDLE, count(procs, "P"), task -> scheduler.go(task::run), scheduler::close);
  }

  private static ThreadModel of(String name, String on, ExecutorService executor) {
    return new ThreadModel(name, on, executor, executor::close);
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
