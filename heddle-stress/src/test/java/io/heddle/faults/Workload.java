package io.heddle.faults;

import static io.heddle.Select.after;
import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;

import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Group;
import io.heddle.Mutex;
import io.heddle.Once;
import io.heddle.RWMutex;
import io.heddle.Scheduler;
import io.heddle.Semaphore;
import io.heddle.SingleFlight;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * Uses every feature of a scheduler a little. The file is long because each feature has a method.
 */
final class Workload {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Scheduler scheduler;
  private final List<Unit> units = new ArrayList<>();

  Workload(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Starts everything. */
  List<Unit> start() {
    unit("tree", unit -> unit.go(() -> tree(unit, 4)));
    unit("overflow", unit -> unit.go(() -> overflow(unit)));
    unit("yield", Workload::yields);
    unit("park", Workload::parks);
    unit("channel", unit -> pipe(unit, Chan.make()));
    unit("buffered", unit -> pipe(unit, Chan.make(4)));
    unit("select", Workload::selects);
    unit("sleep", Workload::sleeps);
    unit("timer", Workload::timers);
    unit("locks", Workload::locks);
    unit("sync", Workload::sync);
    unit("context", Workload::contexts);
    unit("group", Workload::groups);
    unit("executor", Workload::executors);
    unit("blocking", Workload::blocks);
    unit("sockets", Workload::sockets);
    unit("procs", Workload::procs);
    unit("run", Workload::runs);
    unit("look", Workload::looks);
    return units;
  }

  private interface Script {
    void start(Unit unit) throws Exception;
  }

  private void unit(String name, Script script) {
    Unit unit = new Unit(name, scheduler);
    units.add(unit);
    try {
      script.start(unit);
    } catch (Throwable t) {
      unit.failed(t);
    }
  }

  private static void tree(Unit unit, int depth) {
    for (int i = 0; i < 3 && depth > 0; i++) {
      unit.go(() -> tree(unit, depth - 1));
    }
  }

  /** More than the ring of a P or a chunk of the global queue holds. */
  private static void overflow(Unit unit) {
    for (int i = 0; i < 600; i++) {
      unit.go(() -> {});
    }
  }

  private static void yields(Unit unit) {
    for (int i = 0; i < 4; i++) {
      unit.go(
          () -> {
            for (int n = 0; n < 20; n++) {
              Go.gosched();
            }
          });
    }
  }

  private static void parks(Unit unit) {
    for (int i = 0; i < 4; i++) {
      AtomicBoolean gate = new AtomicBoolean();
      Goroutine parked =
          unit.go(
              () -> {
                while (!gate.get()) {
                  LockSupport.park();
                  check();
                }
              });
      Task open =
          () -> {
            gate.set(true);
            LockSupport.unpark(parked.thread());
            parked.join();
          };
      if (i % 2 == 0) {
        unit.go(open);
      } else {
        unit.outside(open);
      }
    }
    Object monitor = new Object();
    for (int i = 0; i < 4; i++) {
      unit.go(
          () -> {
            for (int n = 0; n < 5; n++) {
              synchronized (monitor) {
                Thread.yield();
              }
            }
          });
    }
  }

  private static void check() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /**
   * Two threads send, one of them outside the scheduler, and two receive until the channel is
   * closed.
   */
  private static void pipe(Unit unit, Chan<Integer> chan) {
    int each = 40;
    Chan<Boolean> sent = Chan.make(2);
    Task sender =
        () -> {
          for (int i = 0; i < each; i++) {
            chan.send(i);
          }
          sent.send(true);
        };
    Chan<Integer> received = Chan.make(2);
    Task receiver =
        () -> {
          int n = 0;
          for (Integer _ : chan) {
            n++;
          }
          received.send(n);
        };
    unit.go(receiver);
    unit.go(sender);
    unit.outside(sender);
    unit.outside(receiver);
    unit.go(
        () -> {
          sent.receive();
          sent.receive();
          chan.close();
          expect(received.receive() + received.receive() == 2 * each, "a value is lost");
        });
  }

  private static void selects(Unit unit) {
    Chan<Integer> first = Chan.make();
    Chan<Integer> second = Chan.make(1);
    unit.go(
        () -> {
          for (int i = 0; i < 20; i++) {
            select(send(first, i), send(second, i));
          }
          first.close();
        });
    Task receiver =
        () -> {
          boolean[] closed = new boolean[1];
          while (!closed[0]) {
            select(recv(first, v -> closed[0] = v == null), recv(second), after(LONG));
          }
        };
    unit.go(receiver);
    unit.outside(receiver);
    unit.go(
        () -> {
          Chan<Integer> silent = Chan.make();
          select(recv(silent), orElse());
          for (int i = 0; i < 3; i++) {
            select(recv(silent), after(SHORT));
          }
        });
    unit.outside(() -> select(recv(Chan.<Integer>make()), after(SHORT)));
  }

  private static void sleeps(Unit unit) {
    for (int i = 0; i < 20; i++) {
      Duration time = Duration.ofNanos(ThreadLocalRandom.current().nextInt(3_000_000));
      unit.go(() -> Go.sleep(time));
      unit.go(() -> Thread.sleep(time));
    }
    Goroutine joined = unit.go(() -> Go.sleep(SHORT));
    unit.go(() -> expect(joined.join(LONG), "its end was not seen"));
  }

  private static void timers(Unit unit) {
    Chan<Boolean> ran = Chan.make(1);
    unit.go(
        () -> {
          Timer _ = Timer.schedule(SHORT, () -> ran.trySend(true));
          ran.receive();
          Timer.after(SHORT).receive();
          Timer timer = new Timer(LONG);
          timer.reset(SHORT);
          timer.fired().receive();
          timer.reset(LONG);
          expect(timer.stop(), "an armed timer counts as over");
          try (Ticker ticker = new Ticker(SHORT)) {
            ticker.ticks().receive();
            ticker.ticks().receive();
          }
        });
    unit.outside(
        () -> {
          Timer.after(SHORT).receive();
          List<Timer> many = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            many.add(new Timer(LONG));
          }
          many.forEach(Timer::stop);
        });
    unit.go(
        () -> {
          List<Timer> many = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            many.add(new Timer(LONG));
          }
          many.forEach(Timer::stop);
        });
  }

  private static void locks(Unit unit) {
    Mutex mutex = new Mutex();
    Condition condition = mutex.newCondition();
    boolean[] open = new boolean[1];
    Task locker =
        () -> {
          for (int i = 0; i < 10; i++) {
            mutex.lockInterruptibly();
            try {
              Thread.yield();
            } finally {
              mutex.unlock();
            }
          }
        };
    unit.go(locker);
    unit.go(locker);
    unit.outside(locker);
    unit.go(
        () -> {
          mutex.lockInterruptibly();
          try {
            while (!open[0]) {
              condition.await();
            }
          } finally {
            mutex.unlock();
          }
        });
    unit.go(
        () -> {
          mutex.lockInterruptibly();
          try {
            open[0] = true;
            condition.signalAll();
          } finally {
            mutex.unlock();
          }
        });
    RWMutex lock = new RWMutex();
    for (int i = 0; i < 4; i++) {
      boolean writes = i == 0;
      unit.go(
          () -> {
            for (int n = 0; n < 10; n++) {
              var side = writes ? lock.writeLock() : lock.readLock();
              side.lockInterruptibly();
              try {
                Thread.yield();
              } finally {
                side.unlock();
              }
            }
          });
    }
  }

  private static void sync(Unit unit) {
    WaitGroup group = new WaitGroup();
    group.add(3);
    for (int i = 0; i < 3; i++) {
      unit.go(
          () -> {
            Go.gosched();
            group.done();
          });
    }
    unit.go(group::await);
    unit.outside(() -> expect(group.await(LONG), "the group is not done"));
    Semaphore semaphore = new Semaphore(2);
    for (int i = 0; i < 4; i++) {
      int weight = 1 + i % 2;
      unit.go(
          () -> {
            for (int n = 0; n < 5; n++) {
              semaphore.acquire(weight);
              try {
                Thread.yield();
              } finally {
                semaphore.release(weight);
              }
            }
          });
    }
    Once once = new Once();
    SingleFlight<String, Integer> flight = new SingleFlight<>();
    for (int i = 0; i < 3; i++) {
      unit.go(() -> once.run(() -> Go.sleep(SHORT)));
      unit.go(
          () ->
              flight.run(
                  "key",
                  () -> {
                    Go.sleep(SHORT);
                    return 1;
                  }));
    }
  }

  private static void contexts(Unit unit) {
    Context.Key<String> key = Context.Key.of("key");
    unit.go(
        () -> {
          try (Context.Cancelable parent = Context.background().withCancel()) {
            Context child = parent.withValue(key, "value");
            Chan<Boolean> done = Chan.make(1);
            child.onDone(() -> done.trySend(true));
            child.onDone(() -> {}).run();
            child.run(
                () ->
                    unit.go(
                        () -> {
                          expect("value".equals(Context.current().value(key)), "no value");
                          Context.current().done().receive();
                        }));
            Context timed = parent.withTimeout(SHORT);
            timed.done().receive();
            parent.cancel();
            done.receive();
          }
        });
  }

  private static void groups(Unit unit) {
    unit.go(
        () -> {
          try (Group group = new Group().limit(2)) {
            for (int i = 0; i < 5; i++) {
              group.go(Go::gosched);
            }
            group.await();
          }
        });
    unit.go(
        () -> {
          try (Group group = new Group()) {
            group.go(() -> group.context().done().receive());
            group.go(
                () -> {
                  throw new IOException("as intended");
                });
            group.await();
          } catch (IOException e) {
            // expected
          }
        });
  }

  private static void executors(Unit unit) {
    unit.go(
        () -> {
          try (ExecutorService executor = unit.scheduler().executor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
              int n = i;
              results.add(executor.submit(() -> n));
            }
            for (int i = 0; i < 5; i++) {
              expect(results.get(i).get() == i, "a result is lost");
            }
          }
        });
    unit.go(
        () -> {
          Thread child =
              unit.start(() -> Thread.sleep(SHORT), task -> Thread.startVirtualThread(plain(task)));
          child.join();
        });
    Thread made = unit.scheduler().threadFactory().newThread(() -> {});
    made.start();
    unit.outside(made::join);
    unit.outside(
        () -> {
          Thread plain =
              unit.start(() -> Thread.sleep(SHORT), task -> Thread.startVirtualThread(plain(task)));
          plain.join();
        });
  }

  private static Runnable plain(Task task) {
    return () -> {
      try {
        task.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static void blocks(Unit unit) {
    for (int i = 0; i < 3; i++) {
      unit.go(
          () ->
              Go.blocking(
                  () -> {
                    LockSupport.parkNanos(100_000);
                    return 1;
                  }));
    }
    unit.go(
        () -> {
          Go.lockThread();
          try {
            Go.sleep(SHORT);
            Go.gosched();
          } finally {
            Go.unlockThread();
          }
        });
    unit.go(
        () -> {
          long end = System.nanoTime() + 3_000_000;
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
        });
  }

  private static void sockets(Unit unit) throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    int clients = 3;
    unit.go(
        () -> {
          try (server) {
            for (int i = 0; i < clients; i++) {
              Socket socket = server.accept();
              try {
                unit.go(() -> echo(socket));
              } catch (Throwable t) {
                socket.close();
                throw t;
              }
            }
          }
        });
    for (int i = 0; i < clients; i++) {
      unit.go(
          () -> {
            try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
              socket.setSoTimeout(300_000);
              for (int n = 0; n < 3; n++) {
                socket.getOutputStream().write(n);
                expect(socket.getInputStream().read() == n, "a byte is lost");
              }
            }
          });
    }
  }

  private static void echo(Socket socket) throws IOException {
    try (socket) {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        socket.getOutputStream().write(b);
      }
    }
  }

  private static void procs(Unit unit) {
    unit.outside(
        () -> {
          unit.scheduler().procs(4);
          unit.scheduler().procs(1);
          unit.scheduler().procs(3);
          unit.scheduler().procs(2);
        });
  }

  private static void runs(Unit unit) {
    unit.outside(() -> unit.scheduler().run(() -> Go.sleep(SHORT)));
  }

  private static void looks(Unit unit) {
    unit.outside(
        () -> {
          expect(unit.scheduler().dump().contains("goroutine"), "an empty dump");
          expect(unit.scheduler().stats().procs() > 0, "no Ps");
        });
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
