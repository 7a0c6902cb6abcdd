package io.heddle.cli.cluster;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.StaleDeliveryException;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of the demo: receives orders, works on each for a millisecond, sends what it has done, and
 * then acknowledges the order.
 */
public final class DemoWorker {
  /** How many orders may be on the way. */
  static final int CAPACITY = 256;

  /** How many orders one worker holds. */
  private static final int WINDOW = 32;

  private static final long WORK_MICROS = 1_000;

  private DemoWorker() {}

  /** An order that a worker has worked on. */
  record Done(int order, String worker, int attempt) {}

  static RemoteChan<Integer> orders(Cluster on) throws InterruptedException {
    return on.chan("orders", Integer.class).capacity(CAPACITY).window(WINDOW).open();
  }

  static RemoteChan<Done> done(Cluster on) throws InterruptedException {
    return on.chan("done", Done.class).capacity(4 * CAPACITY).open();
  }

  /** The arguments: the URL of the engine, the name of the cluster, the name of the worker. */
  public static void main(String[] args) throws InterruptedException {
    ClusterOptions options = ClusterOptions.defaults().cluster(args[1]).node(args[2]);
    try (Cluster cluster = Cluster.open(args[0], options)) {
      RemoteChan<Done> done = done(cluster);
      RemoteChan<Integer> orders = orders(cluster);
      for (Delivery<Integer> each = orders.receive(); each != null; each = orders.receive()) {
        TimeUnit.MICROSECONDS.sleep(WORK_MICROS);
        done.send(new Done(each.value(), args[2], each.attempt()));
        try {
          each.ack();
        } catch (StaleDeliveryException e) {
          // This process stood still for longer than its lease: another worker gets the order.
        }
      }
    }
  }
}
