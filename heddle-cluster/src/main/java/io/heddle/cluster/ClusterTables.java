package io.heddle.cluster;

import io.heddle.FigureTable;
import io.heddle.cluster.ClusterStatus.MemberStatus;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one node on the dashboard of its process, and its metrics: the channels that it has
 * opened, and, on the page only, all members and remote goroutines of the cluster.
 */
final class ClusterTables implements AutoCloseable {
  /** The engine is asked about at most this number of channels for one look. */
  private static final int MAX_ASKED = 1_000;

  private static final double SECOND = 1e9;

  private final Node node;
  private final Membership membership;
  private final RemoteChans chans;
  private final TaskCalls calls;
  private final TaskWorkers workers;
  private final Cached<ClusterStatus> status;
  private final List<FigureTable> tables;

  ClusterTables(
      Node node,
      Membership membership,
      RemoteChans chans,
      TaskCalls calls,
      TaskWorkers workers,
      Cached.Question<ClusterStatus> status) {
    this.node = node;
    this.membership = membership;
    this.chans = chans;
    this.calls = calls;
    this.workers = workers;
    this.status = new Cached<>(status);
    tables = List.of(nodes(), channels(), members(), tasks());
  }

  private FigureTable nodes() {
    return FigureTable.of("Cluster nodes of this process", "cluster", "node", "engine")
        .gauge("connected", "heddle_cluster_connected", "1 if the engine can be reached, else 0.")
        .gauge("tasks", "heddle_cluster_tasks", "Remote goroutines that run on this node.")
        .gauge("calls", "heddle_cluster_calls", "Remote goroutines that this node has started.")
        .gauge("leases", "heddle_cluster_leases", "Leases of semaphores that this node holds.")
        .show(
            rows ->
                rows.add(
                    List.of(node.options().cluster(), node.id(), node.engine().name()),
                    node.engine().isConnected() ? 1 : 0,
                    workers.running(),
                    calls.open(),
                    membership.leases()));
  }

  private FigureTable channels() {
    String channel = "heddle_cluster_channel_";
    return FigureTable.of("Remote channels", "cluster", "node", "channel")
        .gauge("depth", channel + "depth", "Messages sent and not acknowledged, of all nodes.")
        .gauge("unacked", channel + "unacknowledged", "Those of them that a node holds.")
        .gauge("lag s", channel + "lag_seconds", "How long the oldest of them has been stored.")
        .gauge("dead letters", channel + "dead_letters", "Messages in the channel of dead letters.")
        .gauge("holding", channel + "holding", "Messages that this node holds.")
        .counter("sent", channel + "sent_total", "Values that this node has sent.")
        .counter("received", channel + "received_total", "Values handed to this node.")
        .counter("redelivered", channel + "redelivered_total", "Those delivered before.")
        .counter("acked", channel + "acknowledged_total", "Values settled on this node.")
        .counter("buried", channel + "buried_total", "Values that this node made dead letters.")
        .show(
            rows -> {
              int asked = 0;
              for (RemoteChan<?> each : chans.sorted()) {
                ChannelDepth depth = asked++ < MAX_ASKED ? each.depth() : null;
                ChannelStats stats = each.stats();
                rows.add(
                    List.of(node.options().cluster(), node.id(), each.name()),
                    depth == null ? Double.NaN : depth.stored(),
                    depth == null ? Double.NaN : depth.unacknowledged(),
                    seconds(depth == null ? null : depth.lag()),
                    depth == null ? Double.NaN : depth.deadLetters(),
                    stats.holding(),
                    (double) stats.sent(),
                    (double) stats.received(),
                    (double) stats.repeated(),
                    (double) stats.acknowledged(),
                    (double) stats.dead());
              }
            });
  }

  private static double seconds(@Nullable Duration time) {
    return time == null ? Double.NaN : time.toNanos() / SECOND;
  }

  private FigureTable members() {
    return FigureTable.of("Members", "cluster", "member", "host", "java", "answer")
        .gauge("pid", "", "The process, on its host.")
        .gauge("procs", "", "Ps of its scheduler.")
        .gauge("goroutines", "", "Goroutines of its scheduler.")
        .gauge("tasks", "", "Remote goroutines that run there.")
        .show(
            rows -> {
              ClusterStatus now = status.get();
              for (MemberStatus each : now == null ? List.<MemberStatus>of() : now.members()) {
                Member member = each.member();
                rows.add(
                    List.of(
                        node.options().cluster(),
                        member.id(),
                        member.host(),
                        member.java(),
                        each.hasAnswered() ? "yes" : "none"),
                    (double) member.pid(),
                    member.procs(),
                    member.goroutines(),
                    member.tasks());
              }
            });
  }

  private FigureTable tasks() {
    return FigureTable.of("Remote goroutines", "cluster", "id", "function", "caller", "runs_on")
        .gauge("seconds", "", "For how long it has run.")
        .show(
            rows -> {
              ClusterStatus now = status.get();
              for (TaskStatus each : now == null ? List.<TaskStatus>of() : now.tasks()) {
                rows.add(
                    List.of(
                        node.options().cluster(),
                        each.id(),
                        each.function(),
                        each.caller(),
                        each.node()),
                    seconds(each.runsFor()));
              }
            });
  }

  @Override
  public void close() {
    tables.forEach(FigureTable::close);
  }
}
