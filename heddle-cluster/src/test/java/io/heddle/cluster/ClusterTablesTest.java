package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Chan;
import io.heddle.internal.base.ShownTable;
import io.heddle.internal.base.ShownTable.TableRow;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tables of the dashboard, and the metrics that come from them. */
@Timeout(60)
class ClusterTablesTest {
  private static final String CLUSTER = "tables";

  private static ShownTable table(String title) {
    List<ShownTable> tables =
        ShownTable.all().stream().filter(each -> each.title().equals(title)).toList();
    assertThat(tables).as(title).isNotEmpty();
    return tables.getLast();
  }

  private static List<TableRow> rows(String title) {
    return table(title).look().stream()
        .filter(each -> each.labels().getFirst().equals(CLUSTER))
        .toList();
  }

  private static double figure(String title, TableRow row, String column) {
    ShownTable table = table(title);
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).title().equals(column)) {
        return row.figures()[i];
      }
    }
    throw new AssertionError("no column " + column);
  }

  private static TableRow row(String title, String label) throws InterruptedException {
    while (true) { // the answer of the engine is asked for once a second; the timeout ends this
      for (TableRow each : rows(title)) {
        if (each.labels().contains(label)) {
          return each;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void tablesShowNodesChannelsMembersAndTasksUntilTheNodeEnds() throws Exception {
    Chan<Boolean> goOn = Chan.make();
    ClusterOptions options = ClusterOptions.defaults().cluster(CLUSTER).node("store");
    try (Cluster cluster = Cluster.open("local:tables", options)) {
      RemoteChan<String> orders = cluster.chan("orders", String.class).open();
      orders.sendAll(List.of("one", "two", "three"));
      orders.receive().ackAndAwait();
      orders.receive().reject("not an order");
      Delivery<String> held = orders.receive();
      Lease lease = cluster.semaphore("slots", 2).acquire(1);
      cluster.register(
          "wait",
          String.class,
          String.class,
          (_, text) -> {
            goOn.receive();
            return text;
          });
      Remote<String> remote = cluster.go("wait", "x", String.class);

      TableRow channel = row("Remote channels", "orders");
      assertThat(channel.labels()).containsExactly(CLUSTER, cluster.id(), "orders");
      assertThat(figure("Remote channels", channel, "holding")).isEqualTo(1);
      assertThat(figure("Remote channels", channel, "sent")).isEqualTo(3);
      assertThat(figure("Remote channels", channel, "received")).isEqualTo(3);
      assertThat(figure("Remote channels", channel, "redelivered")).isZero();
      assertThat(figure("Remote channels", channel, "acked")).isEqualTo(2);
      assertThat(figure("Remote channels", channel, "buried")).isEqualTo(1);
      assertThat(figure("Remote channels", channel, "lag s")).isNotNegative();
      assertThat(orders.length()).isEqualTo(1);

      TableRow task = row("Remote goroutines", "wait");
      assertThat(task.labels()).contains(cluster.id());
      assertThat(figure("Remote goroutines", task, "seconds")).isPositive();
      TableRow member = row("Members", cluster.id());
      assertThat(figure("Members", member, "pid")).isEqualTo(ProcessHandle.current().pid());
      TableRow node = row("Cluster nodes of this process", cluster.id());
      assertThat(figure("Cluster nodes of this process", node, "connected")).isEqualTo(1);
      assertThat(figure("Cluster nodes of this process", node, "tasks")).isEqualTo(1);
      assertThat(figure("Cluster nodes of this process", node, "calls")).isEqualTo(1);
      assertThat(figure("Cluster nodes of this process", node, "leases")).isEqualTo(1);

      goOn.send(true);
      assertThat(remote.await()).isEqualTo("x");
      lease.close();
      held.ack();
    }
    assertThat(ShownTable.all()).extracting(ShownTable::title).doesNotContain("Remote channels");
  }
}
