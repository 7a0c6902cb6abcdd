package io.heddle.cli.cluster;

import io.heddle.WaitGroup;
import io.heddle.cli.cluster.DemoWorker.Done;
import io.heddle.cli.screen.Screen;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.ClusterStatus;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows a channel between JVMs: one of two workers is killed, and no order is lost. */
public final class ClusterDemo {
  private static final int ORDERS = 6_000;
  private static final int KILL_AFTER = ORDERS / 3;
  private static final int BAR = 30;
  private static final long MEMBERS_EVERY_MILLIS = 50;
  private static final long SHOWN_EVERY_NANOS = 100_000_000;

  private final Screen screen;
  private final int orders;
  private final int killAfter;
  private final BitSet arrived = new BitSet();
  private final Map<String, Integer> byWorker = new TreeMap<>();
  private int twice;
  private int redelivered;

  public ClusterDemo(Screen screen, boolean isQuick) {
    this.screen = screen;
    orders = isQuick ? ORDERS / 4 : ORDERS;
    killAfter = isQuick ? KILL_AFTER / 4 : KILL_AFTER;
  }

  /**
   * Plays the demo. Returns false if an order was lost, or if there is no engine.
   *
   * @param engine the URL of an engine; null: one is started for the demo
   */
  public boolean play(@Nullable String engine) throws IOException, InterruptedException {
    if (engine != null) {
      playOn(engine);
      return isAllThere();
    }
    try (DemoServer server = DemoServer.start(System.getenv())) {
      screen.line(server.description() + ", for this demo only");
      playOn(server.url());
    }
    return isAllThere();
  }

  private boolean isAllThere() {
    return arrived.cardinality() == orders;
  }

  private void playOn(String url) throws IOException, InterruptedException {
    String name = "demo-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    List<Process> workers = new ArrayList<>();
    try (Cluster cluster =
        Cluster.open(url, ClusterOptions.defaults().cluster(name).node("stage"))) {
      RemoteChan<Integer> out = DemoWorker.orders(cluster);
      RemoteChan<Done> in = DemoWorker.done(cluster);
      try {
        screen.heading("Two JVMs receive from one channel");
        workers.add(start(url, name, "worker-a"));
        workers.add(start(url, name, "worker-b"));
        awaitMembers(cluster, workers);
        screen.line(
            text(
                "  processes: worker-a %d, worker-b %d; this one sends %,d orders",
                workers.getFirst().pid(), workers.getLast().pid(), orders));
        send(out, in, workers.getFirst());
        ClusterStatus end = cluster.status();
        report(end);
        out.close();
      } finally {
        workers.forEach(Process::destroyForcibly);
        cluster.delete("orders");
        cluster.delete("orders.dead");
        cluster.delete("done");
      }
    }
    next(url);
  }

  private static Process start(String url, String cluster, String worker) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dheddle.banner=false",
                "-Dsun.misc.unsafe.memory.access=allow", // of Artemis; the JDK would warn
                "-cp",
                System.getProperty("java.class.path"),
                DemoWorker.class.getName(),
                url,
                cluster,
                worker)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static void awaitMembers(Cluster cluster, List<Process> workers)
      throws IOException, InterruptedException {
    while (cluster.members().size() <= workers.size()) {
      for (Process each : workers) {
        if (!each.isAlive()) {
          throw new IOException("a worker has ended with exit code " + each.exitValue());
        }
      }
      Thread.sleep(MEMBERS_EVERY_MILLIS);
    }
  }

  /** Sends in a goroutine of its own, and kills {@code victim} in the middle. */
  private void send(RemoteChan<Integer> out, RemoteChan<Done> in, Process victim)
      throws InterruptedException {
    WaitGroup sender = new WaitGroup();
    sender.go(
        () -> {
          for (int order = 0; order < orders; order++) {
            out.send(order);
          }
        });
    long lastShown = 0;
    int received = 0;
    while (!isAllThere()) {
      try (Delivery<Done> next = in.receive()) {
        if (next == null) {
          break;
        }
        take(next.value());
        next.ack();
      }
      if (++received == killAfter) {
        screen.eraseMoving();
        screen.line(text("  after %,d orders:  kill -9 %d   (worker-a)", received, victim.pid()));
        victim.destroyForcibly().onExit().join();
      }
      if (System.nanoTime() - lastShown > SHOWN_EVERY_NANOS) {
        lastShown = System.nanoTime();
        screen.moving(
            text(
                "  %s %,d of %,d orders done",
                screen.bar(arrived.cardinality(), orders, BAR), arrived.cardinality(), orders));
      }
    }
    sender.await();
    screen.eraseMoving();
  }

  private void take(Done done) {
    if (arrived.get(done.order())) {
      twice++;
    }
    if (done.attempt() > 1) {
      redelivered++;
    }
    arrived.set(done.order());
    byWorker.merge(done.worker(), 1, Integer::sum);
  }

  private void report(ClusterStatus end) {
    screen.blank();
    byWorker.forEach((worker, n) -> screen.line(text("  done by %s  %,8d", worker, n)));
    screen.line(text("  delivered again   %,8d   worker-a held them when it died", redelivered));
    screen.line(text("  done twice        %,8d   died after its work, before the ack", twice));
    int lost = orders - arrived.cardinality();
    String line = text("  lost              %,8d", lost);
    screen.line(lost == 0 ? screen.green(line) : screen.red(line));
    screen.heading("What heddle cluster status shows now");
    new StatusView(screen).lines(end, end, 1).forEach(each -> screen.line("  " + each));
  }

  private void next(String url) {
    screen.heading("The program of a worker");
    screen.code(
        """
        try (Cluster cluster = Cluster.open("%s")) {
          RemoteChan<Order> orders = cluster.chan("orders", Order.class).open();
          for (Order each : orders.values()) {   // acknowledged at the next one
            book(each);
          }
        }
        """
            .formatted(url.startsWith("embedded:") ? "embedded:" : "nats://localhost:4222"));
    screen.line("See docs/guide/cluster.md for the rest.");
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
