package io.heddle.faults;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.Sched;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Child: an echo server and its clients use up all descriptors, and continue when some are free
 * again.
 */
public final class FewDescriptors {
  private static final CountDownLatch refused = new CountDownLatch(1);
  private static final Queue<Socket> clients = new ConcurrentLinkedQueue<>();

  private FewDescriptors() {}

  public static void main(String[] args) throws Exception {
    waitFirst(false); // loading the needed classes takes descriptors, too
    waitFirst(true);
    try (Scheduler scheduler = Scheduler.builder().name("few").procs(2).build()) {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
          Socket late = new Socket()) {
        scheduler.go(() -> serve(server));
        use(scheduler, server, late);
        scheduler.run(() -> echo(server.getLocalPort()));
        System.out.println("echoes");
      }
      Quiet.await(scheduler);
      Invariants.check(Sched.of(scheduler));
    }
    System.out.println("closed");
  }

  /**
   * Takes all descriptors; {@code late} has one, and connects when none is left for the other side.
   */
  private static void use(Scheduler scheduler, ServerSocket server, Socket late) throws Exception {
    List<Closeable> all = new ArrayList<>();
    late.bind(null);
    try {
      scheduler.run(() -> connectAll(server.getLocalPort()));
      fill(all);
      late.connect(server.getLocalSocketAddress());
      refused.await();
      long polls = scheduler.stats().netpolls();
      Thread.sleep(300); // shows how often the poller polls
      System.out.println("polls " + (scheduler.stats().netpolls() - polls));
    } finally {
      all.addAll(clients);
      clients.clear();
      closeAll(all);
    }
  }

  private static void closeAll(List<Closeable> all) throws IOException {
    for (Closeable each : all) {
      each.close();
    }
  }

  /**
   * The first goroutine of a scheduler that waits for a socket; optionally with no descriptor left
   * for a poller.
   */
  private static void waitFirst(boolean withNone) throws Exception {
    List<Closeable> all = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        Scheduler scheduler = Scheduler.builder().name("none").procs(2).build()) {
      Chan<Integer> got = Chan.make(1);
      if (withNone) {
        fill(all);
      }
      scheduler.go(
          () -> {
            int b;
            try {
              b = accepted.getInputStream().read();
            } catch (Throwable t) { // an exception is correct, too
              System.out.println("told: " + t);
              b = 7;
            }
            got.send(b);
          });
      scheduler.run(() -> Go.sleep(Duration.ofMillis(50)));
      closeAll(all);
      client.getOutputStream().write(7);
      System.out.println("first wait " + got.receive());
      client.getOutputStream().write(8);
      scheduler.run(() -> System.out.println("second wait " + accepted.getInputStream().read()));
    }
  }

  private static void fill(List<Closeable> all) {
    try {
      for (; ; ) {
        all.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      System.out.println("filled: " + e.getMessage());
    }
  }

  private static void serve(ServerSocket server) throws InterruptedException {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Go.go(() -> answer(socket));
      } catch (IOException e) {
        if (!server.isClosed() && refused.getCount() > 0) {
          System.out.println("accept: " + e.getMessage());
          refused.countDown();
        }
        Go.sleep(Duration.ofMillis(10));
      }
    }
  }

  private static void answer(Socket socket) throws IOException {
    try (socket) {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        socket.getOutputStream().write(b);
      }
    }
  }

  private static void connectAll(int port) {
    try {
      for (; ; ) {
        clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
    } catch (IOException e) {
      System.out.println("connect: " + e.getMessage());
    }
  }

  private static void echo(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(42);
      if (socket.getInputStream().read() != 42) {
        throw new IOException("no echo");
      }
    }
  }
}
