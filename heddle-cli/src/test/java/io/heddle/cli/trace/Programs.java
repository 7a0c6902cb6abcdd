package io.heddle.cli.trace;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Mutex;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.WaitGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Small programs that together make every kind of event happen. */
enum Programs {
  PING_PONG(Programs::pingPong),
  SKYNET(() -> skynet(1_000)),
  SELECT(Programs::selects),
  MUTEX(Programs::mutex),
  JDK_LOCKS(Programs::jdkLocks),
  TIMERS(Programs::timers),
  BLOCKING(Programs::blocking),
  HOGS(Programs::hogs),
  HOG_IN_CALLS(Programs::hogInCalls),
  PROCS(Programs::procs),
  OUTSIDE(Programs::outside),
  YIELDS(Programs::yields),
  LOCKED(Programs::locked),
  NAMED(Programs::named);

  private static volatile long sink;
  final Task main;

  Programs(Task main) {
    this.main = main;
  }

  /** Runs the program with a trace, which starts before the program and ends after it. */
  TraceData trace(int procs, Path file) throws Exception {
    try (Scheduler scheduler =
            Scheduler.builder().procs(procs).timeSlice(Duration.ofMillis(2)).build();
        var _ = scheduler.trace(file)) {
      scheduler.run(main);
    }
    return TraceReader.read(file);
  }

  private static void pingPong() throws Exception {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    Go.go(
        () -> {
          for (int v : ping) {
            pong.send(v);
          }
          pong.close();
        });
    for (int i = 0; i < 5_000; i++) {
      ping.send(i);
      pong.receive();
    }
    ping.close();
  }

  private static int skynet(int size) throws Exception {
    if (size == 1) {
      return 1;
    }
    Chan<Integer> sums = Chan.make();
    for (int i = 0; i < 10; i++) {
      Go.go(() -> sums.send(skynet(size / 10)));
    }
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += sums.receive();
    }
    return sum;
  }

  private static void selects() throws Exception {
    List<Chan<Integer>> all = new ArrayList<>();
    WaitGroup senders = new WaitGroup();
    for (int i = 0; i < 4; i++) {
      Chan<Integer> c = Chan.make();
      all.add(c);
      senders.go(
          () -> {
            for (int n = 0; n < 500; n++) {
              c.send(n);
            }
          });
    }
    for (int n = 0; n < 2_000; n++) {
      select(
          recv(all.get(0)),
          recv(all.get(1)),
          recv(all.get(2)),
          recv(all.get(3)),
          after(Duration.ofSeconds(50)));
    }
    senders.await();
  }

  private static void mutex() throws Exception {
    Mutex mutex = new Mutex();
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 8; i++) {
      all.go(
          () -> {
            for (int n = 0; n < 1_000; n++) {
              mutex.lock();
              sink++;
              if (n % 16 == 0) {
                Go.gosched();
              }
              mutex.unlock();
            }
          });
    }
    all.await();
  }

  private static void jdkLocks() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 8; i++) {
      all.go(
          () -> {
            for (int n = 0; n < 200; n++) {
              lock.lock();
              Thread.yield();
              lock.unlock();
              synchronized (monitor) {
                sink++;
              }
              LockSupport.parkNanos(1_000);
            }
          });
    }
    all.await();
  }

  private static void timers() throws Exception {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 100; i++) {
      int ms = i % 10 + 1;
      all.go(() -> Go.sleep(Duration.ofMillis(ms)));
    }
    all.await();
  }

  private static void blocking() throws Exception {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 50; i++) {
      all.go(
          () -> {
            Go.blocking(
                () -> {
                  LockSupport.parkNanos(100_000);
                  return "";
                });
            Go.gosched();
            Go.blocking(() -> sink++);
          });
    }
    all.await();
  }

  /**
   * Each goroutine computes until all others have run. With fewer Ps than goroutines this needs
   * hand-offs by force.
   */
  private static void hogs() throws Exception {
    int n = Go.procs() + 2;
    CountDownLatch started = new CountDownLatch(n);
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < n; i++) {
      all.go(
          () -> {
            started.countDown();
            while (started.getCount() > 0) {
              sink++;
            }
          });
    }
    all.await();
  }

  /**
   * A goroutine that loses its P while it computes. The P becomes idle soon after, so the goroutine
   * gets a P again after one of its calls and never enters the scheduler.
   */
  private static void hogInCalls() throws Exception {
    for (int i = 0; i < 5; i++) {
      CountDownLatch ran = new CountDownLatch(1);
      Go.go(ran::countDown);
      while (ran.getCount() > 0) {
        sink++;
      }
      for (int n = 0; n < 1_000; n++) {
        Go.blocking(() -> sink++);
      }
    }
  }

  private static void procs() throws Exception {
    int before = Go.procs();
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 8; i++) {
      all.go(
          () -> {
            for (int n = 0; n < 2_000; n++) {
              Go.gosched();
            }
          });
    }
    for (int i = 0; i < 200; i++) {
      Go.procs(1 + i % 5);
      Go.gosched();
    }
    Go.procs(before);
    all.await();
  }

  private static void outside() throws Exception {
    Chan<Integer> c = Chan.make(4);
    List<Thread> threads = new ArrayList<>();
    Scheduler scheduler = Scheduler.current();
    for (int i = 0; i < 3; i++) {
      threads.add(
          Thread.ofPlatform()
              .name("outsider-" + i)
              .start(
                  () -> {
                    for (int n = 0; n < 300; n++) {
                      int value = n;
                      try {
                        scheduler.go(() -> c.send(value)).join();
                        c.send(n);
                      } catch (InterruptedException e) {
                        return;
                      }
                    }
                  }));
    }
    for (int n = 0; n < 1_800; n++) {
      c.receive();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void yields() throws Exception {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < 3; i++) {
      all.go(
          () -> {
            for (int n = 0; n < 3_000; n++) {
              Go.gosched();
            }
          });
    }
    all.await();
  }

  private static void locked() throws Exception {
    Chan<Integer> c = Chan.make();
    Goroutine other =
        Go.go(
            () -> {
              Go.lockThread();
              for (int v : c) {
                sink += v;
              }
              Go.unlockThread();
            });
    for (int n = 0; n < 500; n++) {
      c.send(n);
    }
    c.close();
    other.join();
  }

  private static void named() throws Exception {
    WaitGroup all = new WaitGroup();
    all.add(500);
    for (int i = 0; i < 500; i++) {
      Go.go("worker \"" + i + "\" <é>", all::done);
    }
    all.await();
  }

  /** For tests that need some trace file with any content. */
  static byte[] bytes(Path dir) throws Exception {
    Path file = dir.resolve("sample.trace");
    SELECT.trace(2, file);
    try {
      return java.nio.file.Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
