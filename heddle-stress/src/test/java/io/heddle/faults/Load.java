package io.heddle.faults;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.WaitGroup;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.Sched;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Child: goroutines of several kinds that run until the end. On each request it prints "alive" as
 * soon as every kind has made progress.
 */
public final class Load {
  private static final Duration MILLI = Duration.ofMillis(1);

  private final Scheduler scheduler = Scheduler.builder().name("load").procs(2).build();
  private final List<AtomicLong> steps = new ArrayList<>();
  private volatile boolean over;

  private interface Step {
    void run() throws Exception;
  }

  private Load() {}

  public static void main(String[] args) throws Exception {
    new Load().run();
  }

  private void run() throws Exception {
    try (scheduler) {
      scheduler.run(this::mainGoroutine);
      Quiet.await(scheduler);
      Invariants.check(Sched.of(scheduler));
    }
    System.out.println("closed");
  }

  private void mainGoroutine() throws Exception {
    WaitGroup all = new WaitGroup();
    repeat(all, 20, () -> Go.sleep(MILLI));
    repeat(all, 20, () -> Thread.sleep(3));
    Chan<Integer> chan = Chan.make();
    repeat(all, 4, () -> select(io.heddle.Select.send(chan, 1), after(MILLI)));
    repeat(all, 4, () -> select(recv(chan), after(MILLI)));
    Ticker ticker = new Ticker(MILLI);
    repeat(all, 1, () -> select(recv(ticker.ticks()), after(Duration.ofSeconds(30))));
    repeat(all, 2, Load::compute);
    repeat(all, 2, Go::gosched);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      write(all, client);
      read(all, accepted);
      System.out.println("running");
      while (Go.blocking(() -> System.in.read()) >= 0) {
        Jump.ahead(Duration.ofHours(3)); // visible only under the agent
        awaitSteps();
        System.out.println("alive");
      }
      over = true;
      all.await();
    }
    ticker.close();
  }

  /** Sends until the end and then closes the channel, because the reader may wait for more. */
  private void write(WaitGroup all, Socket socket) {
    AtomicLong done = counted();
    all.go(
        () -> {
          while (!over) {
            socket.getOutputStream().write(1);
            done.incrementAndGet();
          }
          socket.shutdownOutput();
        });
  }

  /**
   * Reads until the channel is closed and not only until the end, because the writer may wait for
   * room.
   */
  private void read(WaitGroup all, Socket socket) {
    AtomicLong done = counted();
    all.go(
        () -> {
          while (socket.getInputStream().read() >= 0) {
            done.incrementAndGet();
          }
        });
  }

  /** Each goroutine repeats the action and counts. */
  private void repeat(WaitGroup all, int n, Step step) {
    AtomicLong done = counted();
    Task task =
        () -> {
          while (!over) {
            step.run();
            done.incrementAndGet();
          }
        };
    for (int i = 0; i < n; i++) {
      all.go(task);
    }
  }

  private AtomicLong counted() {
    AtomicLong done = new AtomicLong();
    steps.add(done);
    return done;
  }

  private static void compute() {
    long end = System.nanoTime() + 15_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private void awaitSteps() throws InterruptedException {
    long[] before = steps.stream().mapToLong(AtomicLong::get).toArray();
    for (int i = 0; i < before.length; i++) {
      while (steps.get(i).get() < before[i] + 5) {
        Go.sleep(MILLI);
      }
    }
  }
}
