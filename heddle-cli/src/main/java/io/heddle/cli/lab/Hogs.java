package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Occupies every CPU with a task that never yields, then starts a short task and measures how long
 * that takes.
 */
final class Hogs implements LabProgram {
  private final int cpus = Runtime.getRuntime().availableProcessors();
  private final int millis;

  /** The hogs compute until the short task is done, but for at most {@code millis}. */
  Hogs(int millis) {
    this.millis = millis;
  }

  @Override
  public String name() {
    return "hogs";
  }

  @Override
  public String title() {
    return "Latency of a short task while hogs occupy every CPU for %d ms".formatted(millis);
  }

  @Override
  public List<String> explanation() {
    return """
    %d tasks, one for each CPU, compute and never yield; then a short task
    starts, and the figure is the time until it is done. A pool has no free
    thread for it, and the JDK never preempts a virtual thread: it waits
    until a hog ends. With one thread per task the operating system shares
    the CPUs, and the short task runs soon. So it does with Heddle: a monitor
    checks every P, and a goroutine that has used up its time slice of 10 ms
    while others wait loses the P. Java cannot take it off its thread,
    so it computes on without a P, and another thread gets the P
    and runs the short task. Woven code (--preempt) yields by itself.
    The dashboard then lists the hogs among the 'threads without a P'.
    """
        .formatted(cpus)
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.threads(),
        ThreadModel.pool(cpus),
        ThreadModel.forkJoin(cpus),
        ThreadModel.virtualThreads(),
        ThreadModel.heddle(cpus));
  }

  private final class HogsRun {
    final CountDownLatch begun = new CountDownLatch(cpus);
    final CountDownLatch ended = new CountDownLatch(cpus);
    final CountDownLatch answered = new CountDownLatch(1);
    final AtomicInteger answers = new AtomicInteger();
    volatile boolean isOver;

    void hog() {
      begun.countDown();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (!isOver && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      ended.countDown();
    }

    void answer() {
      answers.incrementAndGet();
      answered.countDown();
    }
  }

  @Override
  public Object run(ThreadModel contender) throws InterruptedException {
    HogsRun run = new HogsRun();
    for (int i = 0; i < cpus; i++) {
      contender.executor().execute(run::hog);
    }
    run.begun.await();
    contender.executor().execute(run::answer);
    run.answered.await();
    run.isOver = true;
    run.ended.await();
    return run.answers.get();
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return result.equals(1);
  }
}
