package io.heddle.bench.rows;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The JDK's rows: virtual threads on its own scheduler, and {@code java.util.concurrent}. */
class VirtualThreadRows implements Rows {
  private static final Integer NO_MORE = -1;

  /** A task that may throw. */
  interface ThrowingTask {
    void run() throws Exception;
  }

  @Override
  public long spawn(int n) throws Exception {
    return run(
        () -> {
          CountDownLatch all = new CountDownLatch(n);
          for (int i = 0; i < n; i++) {
            Thread.startVirtualThread(all::countDown);
          }
          all.await();
          return (long) n;
        });
  }

  @Override
  public long ring(int rounds) throws Exception {
    return run(
        () -> {
          BlockingQueue<Integer> first = new SynchronousQueue<>();
          BlockingQueue<Integer> last = first;
          for (int i = 1; i < RING; i++) {
            BlockingQueue<Integer> from = last;
            BlockingQueue<Integer> to = new SynchronousQueue<>();
            start(
                () -> {
                  for (int r = 0; r < rounds; r++) {
                    to.put((from.take() + 1) & 127);
                  }
                });
            last = to;
          }
          int token = 0;
          for (int r = 0; r < rounds; r++) {
            first.put(token);
            token = (last.take() + 1) & 127;
          }
          return (long) token;
        });
  }

  @Override
  public long pairs(int n) throws Exception {
    return run(
        () -> {
          AtomicLong sum = new AtomicLong();
          CountDownLatch all = new CountDownLatch(n / 2);
          for (int i = 0; i < n / 2; i++) {
            BlockingQueue<Integer> ping = new SynchronousQueue<>();
            BlockingQueue<Integer> pong = new SynchronousQueue<>();
            start(() -> answer(ping, pong));
            start(
                () -> {
                  sum.addAndGet(ask(ping, pong));
                  all.countDown();
                });
          }
          all.await();
          return sum.get();
        });
  }

  private static void answer(BlockingQueue<Integer> ping, BlockingQueue<Integer> pong)
      throws InterruptedException {
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      pong.put(ping.take());
    }
  }

  private static long ask(BlockingQueue<Integer> ping, BlockingQueue<Integer> pong)
      throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      ping.put(i);
      sum += pong.take();
    }
    return sum;
  }

  @Override
  public long gosched(int n) throws Exception {
    AtomicLong count = new AtomicLong();
    return twice(
        count,
        () -> {
          for (int i = 0; i < n / 2; i++) {
            Thread.yield();
          }
          count.addAndGet(n / 2);
        });
  }

  @Override
  public long timers(int n) throws Exception {
    return run(
        () -> {
          AtomicLong woken = new AtomicLong();
          CountDownLatch all = new CountDownLatch(n);
          for (int i = 0; i < n; i++) {
            var delay = SleepDelays.of(i);
            start(
                () -> {
                  Thread.sleep(delay);
                  woken.incrementAndGet();
                  all.countDown();
                });
          }
          all.await();
          return woken.get();
        });
  }

  /** Uses the executor that the JDK offers for this. */
  @Override
  public long stopTimers(int n) throws Exception {
    try (ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1)) {
      timers.setRemoveOnCancelPolicy(true);
      AtomicLong stopped = new AtomicLong();
      return twice(
          stopped,
          () -> {
            long mine = 0;
            for (int i = 0; i < n / 2; i++) {
              mine += timers.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false) ? 1 : 0;
            }
            stopped.addAndGet(mine);
          });
    }
  }

  @Override
  public Parked park(int n) throws Exception {
    BlockingQueue<Integer> gate = new ArrayBlockingQueue<>(128);
    AtomicLong woken = new AtomicLong();
    CountDownLatch started = new CountDownLatch(n);
    CountDownLatch ended = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      start(
          () -> {
            started.countDown();
            gate.take();
            woken.incrementAndGet();
            ended.countDown();
          });
    }
    started.await();
    return () -> {
      for (int i = 0; i < n; i++) {
        gate.put(NO_MORE);
      }
      ended.await();
      return woken.get();
    };
  }

  @Override
  public long add(int[] numbers, int tasks) throws Exception {
    AtomicLong sum = new AtomicLong();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < tasks; t++) {
        ArraySlice slice = ArraySlice.of(numbers, t, tasks);
        var _ = executor.submit(() -> sum.addAndGet(slice.sum()));
      }
    }
    return sum.get();
  }

  @Override
  public long find(int n, int tasks) throws Exception {
    BlockingQueue<String> documents = new ArrayBlockingQueue<>(n);
    for (int i = 0; i < n; i++) {
      documents.put(Documents.DOCUMENT);
    }
    AtomicLong found = new AtomicLong();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < tasks; t++) {
        var _ =
            executor.submit(
                () -> {
                  for (String document = documents.poll();
                      document != null;
                      document = documents.poll()) {
                    Thread.sleep(Documents.READ_MILLIS);
                    found.addAndGet(document.contains(Documents.TOPIC) ? 1 : 0);
                  }
                  return null;
                });
      }
    }
    return found.get();
  }

  @Override
  public void hogs(int loops, int millis, TickGaps gaps) throws Exception {
    CountDownLatch all = new CountDownLatch(loops + 1);
    for (int l = 0; l < loops; l++) {
      start(
          () -> {
            while (!gaps.isOver()) {}
            all.countDown();
          });
    }
    gaps.start();
    start(
        () -> {
          do {
            Thread.sleep(1);
          } while (gaps.tick());
          all.countDown();
        });
    Thread.sleep(millis);
    gaps.end();
    all.await();
  }

  @Override
  public Blocked block(int tasks, int millis) {
    CountDownLatch all = new CountDownLatch(tasks);
    for (int t = 0; t < tasks; t++) {
      start(
          () -> {
            NativeSleep.nap(millis);
            all.countDown();
          });
    }
    return all::await;
  }

  @Override
  public double itemsPerSecond(int millis) throws Exception {
    ItemRate rate = new ItemRate(millis);
    run(
        () -> {
          BlockingQueue<Integer> items = new SynchronousQueue<>();
          start(
              () -> {
                for (int i = 0; rate.goesOn(i); i++) {
                  items.put(i & 127);
                }
                items.put(NO_MORE);
              });
          while (!items.take().equals(NO_MORE)) {
            rate.add();
          }
          return 0L;
        });
    return rate.perSecond();
  }

  @Override
  public void echo(ServerSocket server, int bytes) {
    start(
        () -> {
          while (true) {
            Socket socket = server.accept();
            start(() -> EchoConnection.serve(socket, bytes));
          }
        });
  }

  @Override
  public void sleepers(int n) throws Exception {
    CountDownLatch started = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      start(
          () -> {
            started.countDown();
            TimeUnit.HOURS.sleep(1);
          });
    }
    started.await();
  }

  /**
   * Neither the JDK nor {@code java.util.concurrent} has anything against batch work or overload.
   */
  @Override
  public Requests requests(boolean guarded) {
    return new Requests() {
      @Override
      public void start(Runnable request) {
        Thread.startVirtualThread(request);
      }

      @Override
      public void startBatch(Runnable batch) {
        Thread.startVirtualThread(batch);
      }

      @Override
      public boolean admits() {
        return true;
      }
    };
  }

  static void start(ThrowingTask body) {
    Thread.startVirtualThread(
        () -> {
          try {
            body.run();
          } catch (IOException _) {
            // the load is over
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  static long run(Callable<Long> work) throws Exception {
    FutureTask<Long> main = new FutureTask<>(work);
    Thread.startVirtualThread(main);
    return main.get();
  }

  private static long twice(AtomicLong result, ThrowingTask body) throws Exception {
    return run(
        () -> {
          CountDownLatch both = new CountDownLatch(2);
          for (int i = 0; i < 2; i++) {
            start(
                () -> {
                  body.run();
                  both.countDown();
                });
          }
          both.await();
          return result.get();
        });
  }
}
