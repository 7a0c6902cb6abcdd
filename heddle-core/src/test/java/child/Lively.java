package child;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Scheduler;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A program that shows every goroutine state, for the dashboard. It runs until it is killed or its
 * standard input ends. An argument sets the number of tasks in a burst.
 */
public final class Lively {
  private static volatile double sink;

  private Lively() {}

  public static void main(String[] args) throws Exception {
    hogs();
    pingPong();
    sleepers();
    blockers();
    sockets();
    workers(args.length == 0 ? 24 : Integer.parseInt(args[0]));
    mutex();
    Scheduler jobs = Scheduler.builder().name("jobs").procs(2).build();
    jobs.go("nightly", () -> Thread.sleep(Duration.ofDays(1)));
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static void hogs() {
    for (int i = 1; i <= 2; i++) {
      Go.go(
          "hog-" + i,
          () -> {
            while (true) {
              compute(30_000_000);
              Go.sleep(Duration.ofMillis(90));
            }
          });
    }
  }

  private static void pingPong() {
    for (int i = 1; i <= 3; i++) {
      Chan<Integer> ping = Chan.make();
      Chan<Integer> pong = Chan.make();
      Go.go(
          "ping-" + i,
          () -> {
            for (int n = 0; ; n++) {
              ping.send(n);
              pong.receive();
              if (n % 100 == 0) {
                Go.sleep(Duration.ofMillis(3));
              }
            }
          });
      Go.go(
          "pong-" + i,
          () -> {
            for (int n : ping) {
              pong.send(n);
            }
          });
    }
  }

  private static void sleepers() {
    for (int i = 1; i <= 14; i++) {
      long pause = 20 + 37L * i;
      Go.go(
          "sleeper-" + i,
          () -> {
            while (true) {
              Go.sleep(Duration.ofMillis(pause));
              compute(300_000);
            }
          });
    }
  }

  private static void blockers() {
    for (int i = 1; i <= 2; i++) {
      long pause = 150 + 130L * i;
      Go.go(
          "blocker-" + i,
          () -> {
            while (true) {
              Go.blocking(
                  () -> {
                    synchronized (new Object()) {
                      Object _ = new ProcessBuilder("sleep", "0." + pause).start().waitFor();
                    }
                    return null;
                  });
              Go.sleep(Duration.ofMillis(pause));
            }
          });
    }
  }

  private static void sockets() throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Go.go(
        "acceptor",
        () -> {
          while (true) {
            Socket socket = server.accept();
            Go.go("connection", () -> echo(socket));
          }
        });
    for (int i = 1; i <= 8; i++) {
      Go.go(
          "client-" + i,
          () -> {
            try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
              while (true) {
                socket.getOutputStream().write(1);
                socket.getInputStream().read();
                Go.sleep(Duration.ofMillis(ThreadLocalRandom.current().nextInt(20, 400)));
              }
            }
          });
    }
  }

  private static void echo(Socket socket) throws Exception {
    try (socket;
        InputStream in = socket.getInputStream()) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        socket.getOutputStream().write(b);
      }
    }
  }

  /** Starts bursts of tasks: they wait in one ring, and other Ps steal them. */
  private static void workers(int tasks) {
    Go.go(
        "burst",
        () -> {
          while (true) {
            for (int i = 0; i < tasks; i++) {
              Go.go("task-" + i, () -> compute(2_000_000));
            }
            Go.sleep(Duration.ofMillis(230));
          }
        });
  }

  private static void mutex() {
    Mutex mutex = new Mutex();
    for (int i = 1; i <= 6; i++) {
      Go.go(
          "account-" + i,
          () -> {
            while (true) {
              mutex.lock();
              try {
                Go.sleep(Duration.ofMillis(30));
              } finally {
                mutex.unlock();
              }
              Go.sleep(Duration.ofMillis(25));
            }
          });
    }
  }

  private static void compute(long nanos) {
    long end = System.nanoTime() + nanos;
    double x = 1;
    while (System.nanoTime() < end) {
      x = Math.sqrt(x + 2);
    }
    sink = x;
  }
}
