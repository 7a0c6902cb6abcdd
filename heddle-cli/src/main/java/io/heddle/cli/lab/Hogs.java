package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** As many tasks as there are CPUs compute and never make way; then a short one comes. How long does it wait? */
final class Hogs implements LabProgram {
  private final int cpus = Runtime.getRuntime().availableProcessors();
  private final int millis;

  /** They compute until the short task is done, and for so long at most. */
  Hogs(int millis) {
    this.millis = millis;
  }

  @Override
  public String name() {
    return "hogs";
  }

  @Override
  public String title() {
    return "A short task comes while every CPU is computed on for %d ms".formatted(millis);
  }

  @Override
  public List<String> explanation() {
    return """
    %d tasks, one for each CPU, compute and never make way; then a short one
    comes, and the time is how long it took. A pool has no thread left for
    it, and the JDK takes no virtual thread off its carrier: there it waits
    until a hog has ended. With a thread for each task the system shares the
    CPUs out, and the short one comes soon. So it does with Heddle: a monitor
    looks at every P, and a goroutine that has had more than its time slice
    of 10 ms while others wait loses the P. Java cannot take it off its
    thread, so it computes on, without one, and another thread gets the P
    and runs the short task. Woven code (--preempt) yields of its own accord.
    On the dashboard the hogs are then among the 'threads without a P'.
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
