package io.heddle.bench.channels;

import static io.heddle.Select.recv;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.Sender;
import io.heddle.WaitGroup;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** Heddle's twin: goroutines and channels. The cases of a select are created once and reused. */
@SuppressWarnings("NullAway") // its channels carry items until they have carried all
final class HeddleTwin implements Twin {
  private final Scheduler scheduler;

  HeddleTwin(int procs) {
    scheduler = Scheduler.builder().procs(procs).build();
  }

  @Override
  public long pingPong(int n) throws Exception {
    return run(
        () -> {
          Chan<Integer> ping = Chan.make();
          Chan<Integer> pong = Chan.make();
          Go.go(
              () -> {
                for (int i = 0; i < n; i++) {
                  pong.send(ping.receive());
                }
              });
          long sum = 0;
          for (int i = 0; i < n; i++) {
            ping.send(i & 127);
            sum += pong.receive();
          }
          return sum;
        });
  }

  @Override
  public long buffered(int n) throws Exception {
    return run(
        () -> {
          Chan<Integer> items = Chan.make(CAPACITY);
          Go.go(
              () -> {
                produce(items, n);
                items.close();
              });
          return sum(items);
        });
  }

  @Override
  public long mpmc(int n) throws Exception {
    return run(
        () -> {
          Chan<Integer> items = Chan.make(CAPACITY);
          Chan<Long> sums = Chan.make();
          WaitGroup producers = new WaitGroup();
          for (int w = 0; w < WORKERS; w++) {
            producers.go(() -> produce(items, n / WORKERS));
            Go.go(() -> sums.send(sum(items)));
          }
          producers.await();
          items.close();
          return sum(sums, WORKERS);
        });
  }

  @Override
  public long select(int n) throws Exception {
    return run(
        () -> {
          Case<?>[] cases =
              Stream.generate(() -> recv(feed(n / WORKERS))).limit(WORKERS).toArray(Case[]::new);
          long sum = 0;
          for (int i = 0; i < n; i++) {
            sum += (Integer) Select.select(cases).value();
          }
          return sum;
        });
  }

  @Override
  public long mutex(int n) throws Exception {
    return run(
        () -> {
          Mutex mutex = new Mutex();
          Counter counter = new Counter();
          WaitGroup lockers = new WaitGroup();
          for (int l = 0; l < LOCKERS; l++) {
            lockers.go(() -> count(mutex, counter, n / LOCKERS));
          }
          lockers.await();
          return counter.value;
        });
  }

  @Override
  public long skynet(int leaves) throws Exception {
    return run(
        () -> {
          Chan<Long> result = Chan.make();
          Go.go(() -> skynet(result, 0, leaves));
          return result.receive();
        });
  }

  @Override
  public void close() {
    scheduler.close();
  }

  private long run(Callable<Long> work) throws Exception {
    FutureTask<Long> main = new FutureTask<>(work);
    scheduler.run(main::run);
    return main.get();
  }

  private static void produce(Sender<Integer> items, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      items.send(i & 127);
    }
  }

  private static long sum(Chan<Integer> items) {
    long sum = 0;
    for (int item : items) {
      sum += item;
    }
    return sum;
  }

  private static long sum(Chan<Long> sums, int count) throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += sums.receive();
    }
    return sum;
  }

  private static Chan<Integer> feed(int n) {
    Chan<Integer> feed = Chan.make();
    Go.go(() -> produce(feed, n));
    return feed;
  }

  private static void count(Mutex mutex, Counter counter, int n) {
    for (int i = 0; i < n; i++) {
      mutex.lock();
      try {
        counter.value++;
      } finally {
        mutex.unlock();
      }
    }
  }

  private static void skynet(Sender<Long> to, long first, int leaves) throws InterruptedException {
    if (leaves == 1) {
      to.send(first);
      return;
    }
    Chan<Long> sums = Chan.make();
    int each = leaves / FAN_OUT;
    for (int i = 0; i < FAN_OUT; i++) {
      long start = first + (long) i * each;
      Go.go(() -> skynet(sums, start, each));
    }
    to.send(sum(sums, FAN_OUT));
  }
}
