package io.heddle.stress.soak;

import io.heddle.Scheduler;
import io.heddle.WaitGroup;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Starts hundreds of goroutines at a time, in every possible way. Each runs once. */
final class Spawns implements Load {
  @Override
  public void step(Worker me) throws Exception {
    int n = me.between(50, 1_500);
    Storm storm = new Storm(me, n);
    switch (me.between(0, 4)) {
      case 0 -> storm.flat();
      case 1 -> storm.tree();
      case 2 -> storm.executor();
      case 3 -> storm.factory();
      default -> storm.plainTree();
    }
    Expect.once("run of goroutine", storm.runs);
    me.did(n);
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  private static final class Storm {
    private static final int FAN_OUT = 3;

    private final Worker me;
    private final Scheduler scheduler;
    private final AtomicIntegerArray runs;
    private final WaitGroup left = new WaitGroup();

    Storm(Worker me, int n) {
      this.me = me;
      this.scheduler = me.anyScheduler();
      this.runs = new AtomicIntegerArray(n);
      left.add(n);
    }

    private void runs(int number, long since) {
      me.world.tally.waited(Tally.Wait.SCHEDULING, System.nanoTime() - since);
      runs.incrementAndGet(number);
      left.done();
    }

    void flat() throws InterruptedException {
      for (int i = 0; i < runs.length(); i++) {
        int number = i;
        long since = System.nanoTime();
        scheduler.go("flat", () -> runs(number, since));
      }
      left.await();
    }

    void tree() throws InterruptedException {
      grow(0, true);
      left.await();
    }

    /** JDK threads: those started by a goroutine belong to its scheduler, others are adopted. */
    void plainTree() throws InterruptedException {
      grow(0, false);
      left.await();
    }

    private void grow(int number, boolean ours) {
      long since = System.nanoTime();
      Runnable node =
          () -> {
            for (int i = 1; i <= FAN_OUT; i++) {
              int child = FAN_OUT * number + i;
              if (child < runs.length()) {
                grow(child, ours);
              }
            }
            runs(number, since);
          };
      if (ours) {
        scheduler.go(node::run);
      } else {
        Thread.startVirtualThread(node);
      }
    }

    void executor() {
      try (ExecutorService executor = scheduler.executor()) {
        for (int i = 0; i < runs.length(); i++) {
          int number = i;
          long since = System.nanoTime();
          executor.execute(() -> runs(number, since));
        }
      }
    }

    void factory() throws InterruptedException {
      ThreadFactory factory = scheduler.threadFactory();
      for (int i = 0; i < runs.length(); i++) {
        int number = i;
        long since = System.nanoTime();
        factory.newThread(() -> runs(number, since)).start();
      }
      left.await();
    }
  }
}
