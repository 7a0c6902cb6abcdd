package io.heddle.bench.channels;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The twin of {@code java.util.concurrent} on JDK virtual threads: a {@link SynchronousQueue} for
 * an unbuffered channel, an {@link ArrayBlockingQueue} for a buffered one, and a last item that
 * marks the end.
 */
final class JucTwin implements Twin {
  private static final Integer NO_MORE = -1;

  @Override
  public long pingPong(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              BlockingQueue<Integer> ping = new SynchronousQueue<>();
              BlockingQueue<Integer> pong = new SynchronousQueue<>();
              ThreadBody.start(
                  () -> {
                    for (int i = 0; i < n; i++) {
                      pong.put(ping.take());
                    }
                  });
              long sum = 0;
              for (int i = 0; i < n; i++) {
                ping.put(i & 127);
                sum += pong.take();
              }
              return sum;
            })
        .get();
  }

  @Override
  public long buffered(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              BlockingQueue<Integer> items = new ArrayBlockingQueue<>(CAPACITY);
              ThreadBody.start(
                  () -> {
                    produce(items, n);
                    items.put(NO_MORE);
                  });
              return sum(items);
            })
        .get();
  }

  @Override
  public long mpmc(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              BlockingQueue<Integer> items = new ArrayBlockingQueue<>(CAPACITY);
              List<Thread> producers = new ArrayList<>();
              List<Future<Long>> sums = new ArrayList<>();
              for (int w = 0; w < WORKERS; w++) {
                producers.add(ThreadBody.start(() -> produce(items, n / WORKERS)));
                sums.add(ThreadBody.async(() -> sum(items)));
              }
              for (Thread each : producers) {
                each.join();
              }
              for (int w = 0; w < WORKERS; w++) {
                items.put(NO_MORE);
              }
              long sum = 0;
              for (Future<Long> each : sums) {
                sum += each.get();
              }
              return sum;
            })
        .get();
  }

  /**
   * Not a select, because {@code java.util.concurrent} has none: the four senders share one queue.
   * The receiver cannot tell them apart and has less work.
   */
  @Override
  public long select(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              BlockingQueue<Integer> items = new SynchronousQueue<>();
              for (int w = 0; w < WORKERS; w++) {
                ThreadBody.start(() -> produce(items, n / WORKERS));
              }
              long sum = 0;
              for (int i = 0; i < n; i++) {
                sum += items.take();
              }
              return sum;
            })
        .get();
  }

  @Override
  public long mutex(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              ReentrantLock lock = new ReentrantLock();
              Counter counter = new Counter();
              List<Thread> lockers = new ArrayList<>();
              for (int l = 0; l < LOCKERS; l++) {
                lockers.add(ThreadBody.start(() -> count(lock, counter, n / LOCKERS)));
              }
              for (Thread each : lockers) {
                each.join();
              }
              return counter.value;
            })
        .get();
  }

  @Override
  public long skynet(int leaves) throws Exception {
    return ThreadBody.async(
            () -> {
              BlockingQueue<Long> result = new SynchronousQueue<>();
              ThreadBody.start(() -> skynet(result, 0, leaves));
              return result.take();
            })
        .get();
  }

  @Override
  public void close() {}

  private static void produce(BlockingQueue<Integer> items, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      items.put(i & 127);
    }
  }

  private static long sum(BlockingQueue<Integer> items) throws InterruptedException {
    long sum = 0;
    for (int item = items.take(); item != NO_MORE; item = items.take()) {
      sum += item;
    }
    return sum;
  }

  private static void count(ReentrantLock lock, Counter counter, int n) {
    for (int i = 0; i < n; i++) {
      lock.lock();
      try {
        counter.value++;
      } finally {
        lock.unlock();
      }
    }
  }

  private static void skynet(BlockingQueue<Long> to, long first, int leaves)
      throws InterruptedException {
    if (leaves == 1) {
      to.put(first);
      return;
    }
    BlockingQueue<Long> sums = new SynchronousQueue<>();
    int each = leaves / FAN_OUT;
    for (int i = 0; i < FAN_OUT; i++) {
      long start = first + (long) i * each;
      ThreadBody.start(() -> skynet(sums, start, each));
    }
    long sum = 0;
    for (int i = 0; i < FAN_OUT; i++) {
      sum += sums.take();
    }
    to.put(sum);
  }
}
