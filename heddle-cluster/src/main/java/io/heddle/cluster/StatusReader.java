package io.heddle.cluster;

import io.heddle.Group;
import io.heddle.cluster.ClusterStatus.ChannelStatus;
import io.heddle.cluster.ClusterStatus.MemberStatus;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.StatusAnswers.Page;
import io.heddle.cluster.StatusAnswers.Report;
import io.heddle.cluster.spi.Registry.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the status of a cluster: members and settings from the registry, depths from the engine,
 * and the rest from the members themselves, which are asked all at once.
 */
final class StatusReader {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int MAX_CHANNELS = 1_000;
  private static final int AT_ONCE = 16;
  private static final int MAX_PAGES = 1_000;

  private final Node node;

  StatusReader(Node node) {
    this.node = node;
  }

  ClusterStatus read() throws InterruptedException {
    List<Member> members = Membership.members(node);
    List<Asked> asked = members.stream().map(each -> new Asked(each, ask(each.id(), ""))).toList();
    List<Named> all = channels();
    List<Named> shown = all.subList(0, Math.min(MAX_CHANNELS, all.size()));
    Map<String, ChannelDepth> depths = depths(shown);
    List<MemberStatus> answered = new ArrayList<>();
    Map<String, ChannelStats> stats = new HashMap<>();
    List<TaskStatus> tasks = new ArrayList<>();
    for (Asked each : asked) {
      boolean isComplete = take(each.member().id(), each.answer(), stats, tasks);
      answered.add(new MemberStatus(each.member(), isComplete));
    }
    tasks.sort(Comparator.comparing(TaskStatus::runsFor).reversed());
    List<ChannelStatus> channels = new ArrayList<>();
    for (Named each : shown) {
      channels.add(
          new ChannelStatus(
              each.name(),
              each.settings().capacity(),
              each.settings().batch(),
              each.settings().isClosed(),
              depths.get(each.name()),
              stats.getOrDefault(each.name(), ChannelStats.NONE)));
    }
    return new ClusterStatus(
        node.options().cluster(),
        node.engine().name(),
        node.engine().address(),
        List.copyOf(answered),
        List.copyOf(channels),
        all.size() - shown.size(),
        List.copyOf(tasks));
  }

  /** A member, and its answer. */
  private record Asked(Member member, CompletionStage<byte @Nullable []> answer) {}

  /** A channel. */
  private record Named(String name, ChannelSettings settings) {}

  /** Returns the channels but those of dead letters, by name. Leaves out what cannot be read. */
  private List<Named> channels() throws InterruptedException {
    List<Named> channels = new ArrayList<>();
    for (Entry each : node.keys().list(RemoteChans.PATH)) {
      String name = each.key().substring(RemoteChans.PATH.length() + 1);
      try {
        if (!name.endsWith(RemoteChans.DEAD)) {
          channels.add(new Named(name, ChannelSettings.decode(each.value())));
        }
      } catch (CodecException e) {
        // Not written by a node of this version.
      }
    }
    channels.sort(Comparator.comparing(Named::name));
    return channels;
  }

  private Map<String, ChannelDepth> depths(List<Named> channels) throws InterruptedException {
    Map<String, ChannelDepth> depths = new ConcurrentHashMap<>();
    try (Group group = new Group().limit(AT_ONCE)) {
      for (Named each : channels) {
        group.go(
            () -> {
              ChannelDepth depth = depth(each.name(), each.settings());
              if (depth != null) {
                depths.put(each.name(), depth);
              }
            });
      }
      group.await();
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return depths;
  }

  private @Nullable ChannelDepth depth(String name, ChannelSettings settings)
      throws InterruptedException {
    try {
      return ChannelDepth.read(node.engine(), name, settings);
    } catch (ClusterException e) {
      return null; // the engine has not answered about this one
    }
  }

  private CompletionStage<byte @Nullable []> ask(String member, String last) {
    return node.engine()
        .wire()
        .ask(StatusAnswers.subject(member), StatusAnswers.question(last), PATIENCE);
  }

  /** Adds what a member tells. Returns whether it has told everything. */
  private boolean take(
      String member,
      CompletionStage<byte @Nullable []> first,
      Map<String, ChannelStats> stats,
      List<TaskStatus> tasks)
      throws InterruptedException {
    CompletionStage<byte @Nullable []> answer = first;
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      byte[] bytes = node.answer(answer);
      if (bytes == null) {
        return false;
      }
      Page page;
      try {
        page = StatusAnswers.decode(bytes);
      } catch (CodecException e) {
        return false; // another version
      }
      for (Report each : page.channels()) {
        stats.merge(each.name(), each.stats(), ChannelStats::plus);
      }
      tasks.addAll(page.tasks());
      if (!page.hasMore() || page.channels().isEmpty()) {
        return true;
      }
      answer = ask(member, page.channels().getLast().name());
    }
    return false; // more channels than a node can have
  }
}
