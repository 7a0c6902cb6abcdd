package io.heddle.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is: its nodes, channels and remote goroutines. See {@link Cluster#status} and
 * {@link ClusterObserver}.
 *
 * @param cluster the name of the cluster
 * @param engine the name of its engine
 * @param address where the engine is
 * @param members the nodes, by id
 * @param channels the channels, by name; at most 1 000
 * @param moreChannels how many channels are left out
 * @param tasks remote goroutines that run, the oldest first; at most 100 of each node
 */
public record ClusterStatus(
    String cluster,
    String engine,
    String address,
    List<MemberStatus> members,
    List<ChannelStatus> channels,
    int moreChannels,
    List<TaskStatus> tasks) {
  /**
   * A node.
   *
   * @param member what it has told about itself
   * @param hasAnswered whether it has answered to this look; if not, what it did is missing in the
   *     counts of channels
   */
  public record MemberStatus(Member member, boolean hasAnswered) {}

  /**
   * A channel. That of the tasks of a function has the name {@code go.} and the name of the
   * function.
   *
   * @param name the name
   * @param capacity how many values may be sent and not acknowledged
   * @param batch how many values may travel in one message
   * @param isClosed whether it was closed
   * @param depth what the engine has of it; null if it does not exist any more, or the engine has
   *     not answered
   * @param stats what the nodes have done with it, all together, since they opened it
   */
  public record ChannelStatus(
      String name,
      int capacity,
      int batch,
      boolean isClosed,
      @Nullable ChannelDepth depth,
      ChannelStats stats) {}

  /**
   * A remote goroutine that runs.
   *
   * @param id its id
   * @param function the function
   * @param caller the id of the node that has started it
   * @param node the id of the node that runs it
   * @param runsFor for how long it has run
   */
  public record TaskStatus(
      String id, String function, String caller, String node, Duration runsFor) {
    /** Makes a status; what was read from a node may lack parts. */
    public TaskStatus {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(function, "function");
      Objects.requireNonNull(caller, "caller");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(runsFor, "runsFor");
    }
  }
}
