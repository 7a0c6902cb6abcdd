package io.heddle.cluster;

import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.spi.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Answers what this node has done with its channels, and which tasks it runs. */
final class StatusAnswers {
  /*
   * Messages of the wire are to be small. So an answer has a page of channels, and the question
   * names the last channel of the page before. The tasks are on the first page.
   */
  private static final int CHANNELS_PER_PAGE = 150;

  static final int MAX_TASKS = 100;

  private static final Codec<Page> PAGES = Codec.json(Page.class);

  private final Node node;
  private final RemoteChans chans;
  private final TaskWorkers workers;

  StatusAnswers(Node node, RemoteChans chans, TaskWorkers workers) {
    this.node = node;
    this.chans = chans;
    this.workers = workers;
  }

  /** What a node has done with a channel. */
  record Report(String name, ChannelStats stats) {
    Report {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(stats, "stats");
    }
  }

  /** An answer. */
  record Page(List<Report> channels, List<TaskStatus> tasks, boolean hasMore) {
    Page {
      channels = List.copyOf(channels);
      tasks = List.copyOf(tasks);
    }
  }

  /** Where a node listens for questions. */
  static String subject(String node) {
    return "status." + node;
  }

  /** A question for the channels after {@code last}; the empty string: from the first on. */
  static byte[] question(String last) {
    return last.getBytes(StandardCharsets.UTF_8);
  }

  /** Reads an answer. The bytes may come from anywhere. */
  static Page decode(byte[] answer) {
    return PAGES.decode(answer);
  }

  void listen() throws InterruptedException {
    var _ =
        node.repeat(
            "node " + node.id(), _ -> node.engine().wire().listen(subject(node.id()), this::hear));
  }

  private void hear(byte[] question, Wire.Reply reply) {
    String last = new String(question, StandardCharsets.UTF_8);
    List<Report> page = new ArrayList<>();
    boolean hasMore = false;
    for (RemoteChan<?> each : chans.sorted()) {
      if (each.name().compareTo(last) > 0) {
        hasMore = page.size() == CHANNELS_PER_PAGE;
        if (hasMore) {
          break;
        }
        page.add(new Report(each.name(), each.stats()));
      }
    }
    List<TaskStatus> tasks = last.isEmpty() ? workers.tasks(MAX_TASKS) : List.of();
    reply.send(PAGES.encode(new Page(page, tasks, hasMore)));
  }
}
