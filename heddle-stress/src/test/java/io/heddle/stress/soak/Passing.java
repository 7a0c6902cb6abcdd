package io.heddle.stress.soak;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Stats;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Schedulers that are created, used and closed again. Nothing of them remains. */
final class Passing implements Load {
  @Override
  public void step(Worker me) throws Exception {
    Scheduler scheduler =
        Scheduler.builder()
            .name("passing")
            .procs(me.between(1, 8))
            .timeSlice(Duration.ofNanos(1_000L * me.between(100, 10_000)))
            .uncaught((g, e) -> me.world.tally.failed("uncaught in a passing scheduler", e))
            .build();
    int n = me.between(1, 100);
    AtomicInteger ends = new AtomicInteger();
    boolean sockets = me.oneIn(4);
    scheduler.run(() -> pipeline(n));
    if (sockets) {
      scheduler.run(Passing::oneEcho);
    }
    boolean now = me.oneIn(3);
    for (int i = 0; i < n; i++) {
      long nanos = now ? 3_600_000_000_000L : me.between(0, 2_000_000);
      scheduler.go(() -> nap(nanos, ends));
    }
    if (now) {
      scheduler.shutdownNow();
    } else {
      scheduler.close();
    }
    Expect.same("goroutines that ended", ends.get(), n);
    Stats stats = scheduler.stats();
    Expect.same("finished of those started", stats.finished(), stats.started());
    Expect.same("threads after the end", stats.threads(), 0);
    me.did(stats.started());
  }

  /** Runs on a platform thread and on goroutines of other schedulers. */
  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  private static void nap(long nanos, AtomicInteger ends) {
    try {
      Go.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException e) {
      // The scheduler therefore ends now.
    }
    ends.incrementAndGet();
  }

  private static void pipeline(int n) throws InterruptedException {
    Chan<Integer> first = Chan.make();
    Chan<Integer> in = first;
    for (int i = 0; i < 5; i++) {
      Chan<Integer> from = in;
      Chan<Integer> to = Chan.make(i % 2);
      Go.go(
          () -> {
            for (int v : from) {
              to.send(v + 1);
            }
            to.close();
          });
      in = to;
    }
    Go.go(
        () -> {
          for (int i = 0; i < n; i++) {
            first.send(i);
          }
          first.close();
        });
    int expected = 5;
    for (int v : in) {
      Expect.same("what comes out of the pipeline", v, expected++);
    }
    Expect.same("how many come out", expected, n + 5);
  }

  private static void oneEcho() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Go.go(
          () -> {
            try (Socket client = server.accept()) {
              client.getOutputStream().write(7);
            }
          });
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        InputStream in = socket.getInputStream();
        Expect.same("what the server says", in.read(), 7);
      }
    }
  }
}
