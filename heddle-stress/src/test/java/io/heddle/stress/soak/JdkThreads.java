package io.heddle.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program that does not use Heddle: virtual threads with the JDK's locks, monitors, queues and
 * timed waits.
 */
final class JdkThreads implements Load {
  /** A task that may throw. */
  private interface Body {
    void run() throws Exception;
  }

  @Override
  public void step(Worker me) throws Exception {
    switch (me.between(0, 5)) {
      case 0 -> locked(me, new ReentrantLock(me.oneIn(2)));
      case 1 -> monitor(me);
      case 2 -> queue(me, new ArrayBlockingQueue<>(me.between(1, 16)));
      case 3 -> queue(me, new SynchronousQueue<>(me.oneIn(2)));
      case 4 -> pingPong(me);
      default -> futures(me);
    }
  }

  @Override
  public Where where() {
    return Where.PLAIN;
  }

  @Override
  public int workers() {
    return 4;
  }

  /** Runs {@code n} tasks, each in its own virtual thread; throws the failure of one. */
  private static void all(int n, Body body) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        ends.add(
            threads.submit(
                () -> {
                  body.run();
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  private static void locked(Worker me, ReentrantLock lock) throws Exception {
    long[] counter = new long[1];
    int n = me.between(1, 20);
    int times = me.between(1, 100);
    Condition changed = lock.newCondition();
    all(
        n,
        () -> {
          for (int i = 0; i < times; i++) {
            if (i % 3 != 0 || !lock.tryLock(100, TimeUnit.MICROSECONDS)) {
              lock.lock();
            }
            try {
              counter[0]++;
              changed.signal();
              if (i % 10 == 0) {
                boolean _ = changed.await(50, TimeUnit.MICROSECONDS);
              }
            } finally {
              lock.unlock();
            }
          }
        });
    Expect.same("what the lock guards", counter[0], (long) n * times);
    me.did((long) n * times);
  }

  private static void monitor(Worker me) throws Exception {
    Object monitor = new Object();
    long[] counter = new long[1];
    int n = me.between(1, 20);
    int times = me.between(1, 50);
    all(
        n,
        () -> {
          for (int i = 0; i < times; i++) {
            synchronized (monitor) {
              long now = counter[0];
              if (i % 8 == 0) {
                Thread.yield();
              }
              counter[0] = now + 1;
              monitor.notify();
              if (i % 16 == 0) {
                monitor.wait(1);
              }
            }
          }
        });
    Expect.same("what the monitor guards", counter[0], (long) n * times);
    me.did((long) n * times);
  }

  private static void queue(Worker me, BlockingQueue<Integer> queue) throws Exception {
    int pairs = me.between(1, 5);
    int times = me.between(1, 200);
    AtomicLong sum = new AtomicLong();
    AtomicLong roles = new AtomicLong();
    all(
        2 * pairs,
        () -> {
          boolean puts = roles.getAndIncrement() % 2 == 0;
          for (int i = 1; i <= times; i++) {
            if (puts) {
              while (!queue.offer(i, 500, TimeUnit.MICROSECONDS)) {
                Thread.onSpinWait();
              }
              sum.addAndGet(i);
            } else {
              Integer taken = i % 2 == 0 ? queue.take() : null;
              while (taken == null) {
                taken = queue.poll(500, TimeUnit.MICROSECONDS);
              }
              sum.addAndGet(-taken);
            }
          }
        });
    Expect.same("what was put and not taken", sum.get(), 0L);
    me.did((long) pairs * times);
  }

  private static void pingPong(Worker me) throws Exception {
    Object monitor = new Object();
    int[] turn = new int[1];
    int players = me.between(2, 4);
    int times = me.between(1, 100);
    AtomicLong numbers = new AtomicLong();
    all(
        players,
        () -> {
          int number = (int) numbers.getAndIncrement();
          for (int i = 0; i < times; i++) {
            synchronized (monitor) {
              while (turn[0] % players != number) {
                monitor.wait();
              }
              turn[0]++;
              monitor.notifyAll();
            }
          }
        });
    Expect.same("turns", turn[0], players * times);
    me.did((long) players * times);
  }

  private static void futures(Worker me) throws Exception {
    int n = me.between(1, 50);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Long> chain = CompletableFuture.completedFuture(0L);
      CountDownLatch latch = new CountDownLatch(n);
      for (int i = 0; i < n; i++) {
        chain = chain.thenApplyAsync(x -> x + 1, threads);
        threads.execute(latch::countDown);
      }
      latch.await();
      long start = System.nanoTime();
      Thread.sleep(1);
      Expect.that(System.nanoTime() - start >= 1_000_000, "a sleep was too short");
      Expect.same("length of the chain", chain.get(), (long) n);
    }
    me.did(2L * n);
  }
}
