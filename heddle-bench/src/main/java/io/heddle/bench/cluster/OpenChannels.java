package io.heddle.bench.cluster;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.RemoteChan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What open channels cost: heap of their node, memory of the server, time to open. */
final class OpenChannels {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long KIB = 1024;

  private OpenChannels() {}

  static void measure(int count) throws Exception {
    try (ServerProcess server = ServerProcess.start();
        Cluster cluster = Cluster.open(server.url(), ClusterOptions.defaults().cluster("open"))) {
      cluster.chan("first", byte[].class).open().send(new byte[1]);
      System.out.println("\n| open channels | heap each, bytes | server each, KiB | s |");
      System.out.println("|---|--:|--:|--:|");
      List<RemoteChan<byte[]>> all = new ArrayList<>();
      Costs before = Costs.now(server);
      for (int i = 0; i < count; i++) {
        all.add(cluster.chan("c" + i, byte[].class).open());
      }
      before.print("%,d opened".formatted(count), server, count);
      for (RemoteChan<byte[]> each : all) {
        each.send(new byte[1]);
      }
      before.print("each has got a value", server, count);
      for (RemoteChan<byte[]> each : all) {
        var _ = each.deliveries();
      }
      for (RemoteChan<byte[]> each : all) {
        var delivery = each.receive();
        if (delivery == null) {
          throw new IllegalStateException(each + " has ended");
        }
        delivery.ackAndAwait();
      }
      before.print("each receives, and has received it", server, count);
    }
  }

  /** The costs so far. */
  private record Costs(long heap, long resident, long time) {
    static Costs now(ServerProcess server) throws IOException {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      Runtime runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      return new Costs(heap, server.residentBytes(), System.nanoTime());
    }

    void print(String what, ServerProcess server, int count) throws IOException {
      long took = System.nanoTime() - time;
      Costs now = now(server);
      System.out.println(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,.1f | %.1f |",
              what,
              (now.heap - heap) / count,
              (double) (now.resident - resident) / count / KIB,
              took / NANOS_PER_SECOND));
    }
  }
}
