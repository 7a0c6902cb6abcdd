package beside;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits in every way that goroutines and virtual threads can, and checks each result. A wrong
 * result ends the program with an exception.
 *
 * <p>With the argument {@code once} it does so once; with {@code load} until its standard input
 * has a byte. Further arguments are names of classes; it prints those that the JVM has.
 */
public final class Everything {
  private static final int THREADS = 20;
  private static final int TIMES = 50;

  private Everything() {}

  public static void main(String[] args) throws Exception {
    System.out.println("started");
    int rounds = 0;
    do {
      Scheduler.shared().run(Everything::channels);
      sleeps();
      sockets();
      monitors();
      locks();
      executor();
      interrupts();
      rounds++;
    } while (args[0].equals("load") && System.in.available() == 0);
    for (int i = 1; i < args.length; i++) {
      printIfPresent(args[i]);
    }
    String thread = in(() -> Thread.currentThread().toString()).get();
    System.out.println("checked, adopted " + thread.contains("@heddle-shared"));
    check(rounds > 0, "rounds");
  }

  /** Senders on two channels, and a select that receives from both. */
  private static void channels() throws InterruptedException {
    Chan<Integer> odd = Chan.make();
    Chan<Integer> even = Chan.make(4);
    for (int i = 0; i < THREADS; i++) {
      Chan<Integer> to = i % 2 == 0 ? even : odd;
      Go.go(
          () -> {
            for (int k = 1; k <= TIMES; k++) {
              to.send(k);
            }
          });
    }
    AtomicInteger sum = new AtomicInteger();
    for (int i = 0; i < THREADS * TIMES; i++) {
      select(recv(odd, sum::addAndGet), recv(even, sum::addAndGet));
    }
    check(sum.get() == THREADS * TIMES * (TIMES + 1) / 2, "sum of the channels " + sum);
    Go.sleep(Duration.ofMillis(1));
  }

  private static void sleeps() throws Exception {
    List<Future<Long>> slept = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int millis = 1 + i % 3;
      slept.add(
          in(
              () -> {
                long start = System.nanoTime();
                Thread.sleep(millis);
                return System.nanoTime() - start - TimeUnit.MILLISECONDS.toNanos(millis);
              }));
    }
    for (Future<Long> late : slept) {
      check(late.get() >= 0, "a sleep was short by " + late.get());
    }
    BlockingQueue<String> empty = new ArrayBlockingQueue<>(1);
    check(in(() -> empty.poll(1, TimeUnit.MILLISECONDS) == null).get(), "timed poll");
  }

  private static void sockets() throws Exception {
    try (ServerSocket server = new ServerSocket(0, THREADS, InetAddress.getLoopbackAddress())) {
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        clients.add(in(() -> client(server.getLocalPort())));
      }
      for (int i = 0; i < THREADS; i++) {
        Socket accepted = in(server::accept).get();
        in(() -> echo(accepted));
      }
      for (Future<Integer> client : clients) {
        check(client.get() == TIMES, "echoes " + client.get());
      }
    }
  }

  private static int client(int port) throws IOException {
    int echoed = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int i = 0; i < TIMES; i++) {
        socket.getOutputStream().write(i);
        echoed += socket.getInputStream().read() == i ? 1 : 0;
      }
    }
    return echoed;
  }

  private static int echo(Socket socket) throws IOException {
    try (socket) {
      int b;
      while ((b = socket.getInputStream().read()) >= 0) {
        socket.getOutputStream().write(b);
      }
      return b;
    }
  }

  /** Threads increment a number under a monitor, which others wait for. */
  private static void monitors() throws Exception {
    Object monitor = new Object();
    int[] count = {0};
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int parity = i % 2;
      all.add(
          in(
              () -> {
                for (int k = 0; k < TIMES; k++) {
                  synchronized (monitor) {
                    while (count[0] % 2 != parity) {
                      monitor.wait();
                    }
                    count[0]++;
                    monitor.notifyAll();
                  }
                }
                return true;
              }));
    }
    for (Future<Boolean> each : all) {
      each.get();
    }
    check(count[0] == THREADS * TIMES, "count " + count[0]);
  }

  /** A bounded buffer with a lock and a condition. */
  private static void locks() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    ArrayDeque<Integer> buffer = new ArrayDeque<>();
    Callable<Integer> consumer =
        () -> {
          int sum = 0;
          for (int k = 1; k <= TIMES; k++) {
            lock.lock();
            try {
              while (buffer.isEmpty()) {
                changed.await();
              }
              sum += buffer.remove();
              changed.signalAll();
            } finally {
              lock.unlock();
            }
          }
          return sum;
        };
    Future<Integer> first = in(consumer);
    Future<Integer> second = in(consumer);
    for (int k = 1; k <= 2 * TIMES; k++) {
      lock.lock();
      try {
        while (buffer.size() > 2) {
          changed.await();
        }
        buffer.add(k);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
    check(first.get() + second.get() == TIMES * (2 * TIMES + 1), "sum of the buffer");
  }

  private static void executor() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 1; i <= THREADS * TIMES; i++) {
        int n = i;
        tasks.add(
            () -> {
              Thread.yield();
              return n;
            });
      }
      int sum = 0;
      for (Future<Integer> each : executor.invokeAll(tasks)) {
        sum += each.get();
      }
      check(sum == THREADS * TIMES * (THREADS * TIMES + 1) / 2, "sum of the tasks " + sum);
    }
  }

  private static void interrupts() throws Exception {
    FutureTask<Boolean> sleeper =
        new FutureTask<>(
            () -> {
              try {
                Thread.sleep(Duration.ofDays(1));
                return false;
              } catch (InterruptedException e) {
                return true;
              }
            });
    Thread.startVirtualThread(sleeper).interrupt();
    check(sleeper.get(), "interrupt");
  }

  private static <T> Future<T> in(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    Thread.startVirtualThread(task);
    return task;
  }

  private static void printIfPresent(String type) {
    try {
      Class<?> _ = Class.forName(type, false, ClassLoader.getSystemClassLoader());
      System.out.println("present " + type);
    } catch (ClassNotFoundException e) {
      System.out.println("absent " + type);
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
