package io.heddle.cluster.contract;

import io.heddle.Go;
import io.heddle.WaitGroup;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.StaleDeliveryException;
import io.heddle.cluster.UnsentException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process of {@link KillRunContract}: a producer or a consumer, which writes what it has done to a
 * file of its own: sender, number, time, and for a consumer the attempt. A line is one write to the
 * file, so a killed process leaves whole lines. The times of all processes are of one clock.
 */
public final class KillRunNode {
  static final int SENDERS = 4;

  private static final Duration PAUSE = Duration.ofMillis(2);

  private static final Duration WORK = Duration.ofMillis(10);
  private static final int ONE_SLOW_IN = 20;
  private static final int WINDOW = 16;

  private KillRunNode() {}

  /** A value: its sender, and which of the values of that sender it is. */
  record Item(String sender, int number) {}

  static RemoteChan<Item> open(Cluster cluster) throws InterruptedException {
    return cluster
        .chan("items", Item.class)
        .capacity(5_000)
        .batch(8)
        .window(WINDOW)
        .lease(Duration.ofSeconds(1))
        .attempts(10_000)
        .open();
  }

  /** The arguments: URI, produce or consume, name, file of results, file that ends a producer. */
  public static void main(String[] args) throws Exception {
    ClusterOptions options =
        ClusterOptions.defaults()
            .cluster("soak")
            .node(args[2])
            .connectTimeout(Duration.ofSeconds(60));
    try (OutputStream out = new FileOutputStream(args[3]);
        Cluster cluster = Cluster.open(args[0], options)) {
      if (args[1].equals("produce")) {
        produce(cluster, args[2], out, Path.of(args[4]));
      } else {
        consume(cluster, out);
      }
    }
  }

  private static void line(OutputStream out, String line) throws IOException {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (out) {
      out.write(bytes);
    }
  }

  private static void produce(Cluster cluster, String name, OutputStream out, Path end)
      throws InterruptedException {
    RemoteChan<Item> chan = open(cluster);
    WaitGroup senders = new WaitGroup();
    for (int i = 0; i < SENDERS; i++) {
      String sender = name + "-" + i;
      senders.go(
          () -> {
            for (int number = 0; !Files.exists(end); number++) {
              try {
                chan.send(new Item(sender, number));
                line(out, sender + " " + number + " " + System.nanoTime());
              } catch (UnsentException e) {
                return; // this process ends
              }
              Go.sleep(PAUSE);
            }
          });
    }
    senders.await();
  }

  private static void consume(Cluster cluster, OutputStream out) throws Exception {
    RemoteChan<Item> chan = open(cluster);
    for (Delivery<Item> next = chan.receive(); next != null; next = chan.receive()) {
      Item item = next.value();
      String what = item.sender() + " " + item.number();
      line(out, what + " " + System.nanoTime() + " " + next.attempt());
      if (item.number() % ONE_SLOW_IN == 0) {
        Go.sleep(WORK); // so that kills also hit between the work and its acknowledgement
      }
      try {
        next.ack();
      } catch (StaleDeliveryException e) {
        // Another consumer gets it as well.
      }
    }
  }
}
