package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** As many tasks as there are CPUs compute and never make way; then a short one comes. How long does it wait? */
final class Hogs implements Program {
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
    return List.of(
        "%d hogs run loops that never make way; the time is that of the short task. A"
            .formatted(cpus),
        "pool has no thread left for it, and the JDK takes no virtual thread off its",
        "carrier: there it waits until a hog is done. With a thread for each task the",
        "system shares the CPUs out. So does Heddle: the monitor sees a goroutine that",
        "has had more than its time slice of 10 ms, leaves it to compute on its thread,",
        "and gives its P to another thread, which runs the short one.");
  }

  @Override
  public List<Contender> contenders() {
    return List.of(
        Contender.threads(),
        Contender.pool(cpus),
        Contender.forkJoin(cpus),
        Contender.virtualThreads(),
        Contender.heddle(cpus));
  }

  private final class Run {
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
  public Object run(Contender contender) throws InterruptedException {
    Run run = new Run();
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
  public boolean isRight(Contender contender, Object result) {
    return result.equals(1);
  }
}
