package io.heddle.bench.rows;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

/** Heddle's rows: goroutines and channels. */
@SuppressWarnings("NullAway") // its channels carry items until they have carried all
final class HeddleRows implements Rows {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration READ = Duration.ofMillis(Documents.READ_MILLIS);

  private static final Duration OVERLOAD_TARGET = Duration.ofMillis(20);

  private final Scheduler scheduler;
  private Scheduler batch;

  HeddleRows(int procs) {
    scheduler = Scheduler.builder().procs(procs).build();
    batch = scheduler;
  }

  @Override
  public long spawn(int n) throws Exception {
    return run(
        () -> {
          WaitGroup all = new WaitGroup();
          all.add(n);
          for (int i = 0; i < n; i++) {
            Go.go(all::done);
          }
          all.await();
          return (long) n;
        });
  }

  @Override
  public long ring(int rounds) throws Exception {
    return run(
        () -> {
          Chan<Integer> first = Chan.make();
          Chan<Integer> last = first;
          for (int i = 1; i < RING; i++) {
            Chan<Integer> from = last;
            Chan<Integer> to = Chan.make();
            Go.go(
                () -> {
                  for (int r = 0; r < rounds; r++) {
                    to.send((from.receive() + 1) & 127);
                  }
                });
            last = to;
          }
          int token = 0;
          for (int r = 0; r < rounds; r++) {
            first.send(token);
            token = (last.receive() + 1) & 127;
          }
          return (long) token;
        });
  }

  @Override
  public long pairs(int n) throws Exception {
    return run(
        () -> {
          AtomicLong sum = new AtomicLong();
          WaitGroup all = new WaitGroup();
          for (int i = 0; i < n / 2; i++) {
            Chan<Integer> ping = Chan.make();
            Chan<Integer> pong = Chan.make();
            Go.go(() -> answer(ping, pong));
            all.go(() -> sum.addAndGet(ask(ping, pong)));
          }
          all.await();
          return sum.get();
        });
  }

  private static void answer(Chan<Integer> ping, Chan<Integer> pong) throws InterruptedException {
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      pong.send(ping.receive());
    }
  }

  private static long ask(Chan<Integer> ping, Chan<Integer> pong) throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      ping.send(i);
      sum += pong.receive();
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
            Go.gosched();
          }
          count.addAndGet(n / 2);
        });
  }

  @Override
  public long timers(int n) throws Exception {
    return run(
        () -> {
          AtomicLong woken = new AtomicLong();
          WaitGroup all = new WaitGroup();
          for (int i = 0; i < n; i++) {
            Duration delay = SleepDelays.of(i);
            all.go(
                () -> {
                  Go.sleep(delay);
                  woken.incrementAndGet();
                });
          }
          all.await();
          return woken.get();
        });
  }

  @Override
  public long stopTimers(int n) throws Exception {
    AtomicLong stopped = new AtomicLong();
    return twice(
        stopped,
        () -> {
          long mine = 0;
          for (int i = 0; i < n / 2; i++) {
            mine += new Timer(HOUR).stop() ? 1 : 0;
          }
          stopped.addAndGet(mine);
        });
  }

  @Override
  public Parked park(int n) throws Exception {
    Chan<Integer> gate = Chan.make();
    AtomicLong woken = new AtomicLong();
    WaitGroup started = new WaitGroup();
    WaitGroup ended = new WaitGroup();
    started.add(n);
    ended.add(n);
    for (int i = 0; i < n; i++) {
      scheduler.go(
          () -> {
            started.done();
            gate.receive();
            woken.incrementAndGet();
            ended.done();
          });
    }
    started.await();
    return () -> {
      gate.close();
      ended.await();
      return woken.get();
    };
  }

  @Override
  public long add(int[] numbers, int tasks) throws Exception {
    AtomicLong sum = new AtomicLong();
    WaitGroup all = new WaitGroup();
    all.add(tasks);
    for (int t = 0; t < tasks; t++) {
      ArraySlice slice = ArraySlice.of(numbers, t, tasks);
      scheduler.go(
          () -> {
            sum.addAndGet(slice.sum());
            all.done();
          });
    }
    all.await();
    return sum.get();
  }

  @Override
  public long find(int n, int tasks) throws Exception {
    return run(
        () -> {
          Chan<String> documents = Chan.make(n);
          for (int i = 0; i < n; i++) {
            documents.send(Documents.DOCUMENT);
          }
          documents.close();
          AtomicLong found = new AtomicLong();
          WaitGroup all = new WaitGroup();
          for (int t = 0; t < tasks; t++) {
            all.go(
                () -> {
                  for (String document : documents) {
                    Go.sleep(READ);
                    found.addAndGet(document.contains(Documents.TOPIC) ? 1 : 0);
                  }
                });
          }
          all.await();
          return found.get();
        });
  }

  @Override
  public void hogs(int loops, int millis, TickGaps gaps) throws Exception {
    WaitGroup all = new WaitGroup();
    all.add(loops + 1);
    for (int l = 0; l < loops; l++) {
      scheduler.go(
          () -> {
            while (!gaps.isOver()) {}
            all.done();
          });
    }
    gaps.start();
    scheduler.go(
        () -> {
          try (Ticker ticker = new Ticker(Duration.ofMillis(1))) {
            do {
              ticker.ticks().receive();
            } while (gaps.tick());
          }
          all.done();
        });
    Thread.sleep(millis);
    gaps.end();
    all.await();
  }

  @Override
  public Blocked block(int tasks, int millis) {
    WaitGroup all = new WaitGroup();
    all.add(tasks);
    for (int t = 0; t < tasks; t++) {
      scheduler.go(
          () -> {
            NativeSleep.nap(millis);
            all.done();
          });
    }
    return all::await;
  }

  @Override
  public double itemsPerSecond(int millis) throws Exception {
    ItemRate rate = new ItemRate(millis);
    run(
        () -> {
          Chan<Integer> items = Chan.make();
          Go.go(
              () -> {
                for (int i = 0; rate.goesOn(i); i++) {
                  items.send(i & 127);
                }
                items.close();
              });
          for (int _ : items) {
            rate.add();
          }
          return 0L;
        });
    return rate.perSecond();
  }

  @Override
  public void echo(ServerSocket server, int bytes) {
    scheduler.go(
        () -> {
          while (true) {
            Socket socket = server.accept();
            Go.go(() -> EchoConnection.serve(socket, bytes));
          }
        });
  }

  @Override
  public boolean canGuard() {
    return true;
  }

  @Override
  public Requests requests(boolean guarded) {
    if (guarded && batch == scheduler) {
      batch = Scheduler.builder().name("batch").procs(scheduler.procs()).background().build();
    }
    Scheduler ours =
        guarded
            ? Scheduler.builder().procs(scheduler.procs()).overload(OVERLOAD_TARGET).build()
            : scheduler;
    Scheduler batches = guarded ? batch : scheduler;
    return new Requests() {
      @Override
      public void start(Runnable request) {
        ours.go(request::run);
      }

      @Override
      public void startBatch(Runnable work) {
        batches.go(work::run);
      }

      @Override
      public boolean admits() {
        return ours.tryAdmit();
      }
    };
  }

  @Override
  public void sleepers(int n) throws Exception {
    WaitGroup started = new WaitGroup();
    started.add(n);
    for (int i = 0; i < n; i++) {
      scheduler.go(
          () -> {
            started.done();
            Go.sleep(HOUR);
          });
    }
    started.await();
  }

  private long twice(AtomicLong result, Task task) throws Exception {
    return run(
        () -> {
          WaitGroup both = new WaitGroup();
          both.go(task);
          both.go(task);
          both.await();
          return result.get();
        });
  }

  private long run(Callable<Long> work) throws Exception {
    FutureTask<Long> main = new FutureTask<>(work);
    scheduler.run(main::run);
    return main.get();
  }
}
