package io.heddle.micrometer;

import io.heddle.cluster.ChannelDepth;
import io.heddle.cluster.ChannelStats;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.RemoteChan;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The figures of the remote channels of one node, also of those that it opens later, as meters of
 * Micrometer. Needs {@code heddle-cluster} on the class path.
 *
 * {@snippet :
 * ClusterMetrics metrics = new ClusterMetrics(cluster);
 * metrics.bindTo(registry);
 * }
 *
 * <p>All meters have the tags {@code cluster}, {@code node} and {@code channel}. Those about the
 * depth are asked of the engine, at most once a second for each channel; they are {@code NaN} while
 * it does not answer.
 *
 * <p>The guide of Heddle, page <i>Observability</i>, lists the meters. All methods can be called
 * from any thread.
 */
public final class ClusterMetrics implements MeterBinder, AutoCloseable {
  private static final String CHANNEL = "heddle.cluster.channel.";
  private static final double NANOS_PER_SECOND = 1e9;

  private final Cluster cluster;
  private final Tags tags;

  /** Guarded by itself. */
  private final List<Runnable> ends = new ArrayList<>();

  /**
   * Makes a binder for one node.
   *
   * @param cluster the node
   */
  public ClusterMetrics(Cluster cluster) {
    this(cluster, Tags.empty());
  }

  /**
   * Makes a binder whose meters have further tags.
   *
   * @param cluster the node
   * @param tags the tags that each meter gets, besides its own
   */
  public ClusterMetrics(Cluster cluster, Iterable<Tag> tags) {
    this.cluster = Objects.requireNonNull(cluster, "cluster");
    this.tags = Tags.of(tags).and("cluster", cluster.name(), "node", cluster.id());
  }

  /**
   * Registers the meters of all channels, now and when further ones are opened, until {@link
   * #close}.
   *
   * @param registry where the meters are registered
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    Runnable end = cluster.watchChannels(each -> register(registry, each));
    synchronized (ends) {
      ends.add(end);
    }
  }

  private void register(MeterRegistry registry, RemoteChan<?> chan) {
    Tags of = tags.and("channel", chan.name());
    String what = "Messages sent and not acknowledged, by any node.";
    depth(registry, chan, of, "depth", what, ChannelDepth::stored);
    what = "Messages that a node holds.";
    depth(registry, chan, of, "unacknowledged", what, ChannelDepth::unacknowledged);
    what = "Messages in the channel of dead letters.";
    depth(registry, chan, of, "dead.letters", what, ChannelDepth::deadLetters);
    what = "For how long the oldest message has been stored, in seconds.";
    depth(registry, chan, of, "lag.seconds", what, ClusterMetrics::lag);
    ends(
        registry,
        Gauge.builder(CHANNEL + "holding", chan, c -> c.stats().holding())
            .description("Messages that this node holds.")
            .tags(of)
            .register(registry));
    counter(registry, chan, of, "sent", "Values that this node has sent.", ChannelStats::sent);
    what = "Values that were handed to this node.";
    counter(registry, chan, of, "received", what, ChannelStats::received);
    what = "Values handed to this node that had been delivered before.";
    counter(registry, chan, of, "redelivered", what, ChannelStats::repeated);
    what = "Values that were settled on this node.";
    counter(registry, chan, of, "acknowledged", what, ChannelStats::acknowledged);
    what = "Values that became dead letters on this node.";
    counter(registry, chan, of, "buried", what, ChannelStats::dead);
  }

  private static double lag(ChannelDepth depth) {
    Duration lag = depth.lag();
    return lag == null ? Double.NaN : lag.toNanos() / NANOS_PER_SECOND;
  }

  private void depth(
      MeterRegistry registry,
      RemoteChan<?> chan,
      Tags of,
      String name,
      String what,
      ToDoubleFunction<ChannelDepth> figure) {
    ToDoubleFunction<RemoteChan<?>> read =
        each -> {
          ChannelDepth depth = each.depth();
          return depth == null ? Double.NaN : figure.applyAsDouble(depth);
        };
    ends(
        registry,
        Gauge.builder(CHANNEL + name, chan, read).description(what).tags(of).register(registry));
  }

  private void counter(
      MeterRegistry registry,
      RemoteChan<?> chan,
      Tags of,
      String name,
      String what,
      ToDoubleFunction<ChannelStats> figure) {
    ToDoubleFunction<RemoteChan<?>> read = each -> figure.applyAsDouble(each.stats());
    ends(
        registry,
        FunctionCounter.builder(CHANNEL + name, chan, read)
            .description(what)
            .tags(of)
            .register(registry));
  }

  private void ends(MeterRegistry registry, Meter meter) {
    synchronized (ends) {
      ends.add(() -> registry.remove(meter));
    }
  }

  /** Removes the meters from all registries. */
  @Override
  public void close() {
    List<Runnable> all;
    synchronized (ends) {
      all = List.copyOf(ends);
      ends.clear();
    }
    all.forEach(Runnable::run);
  }
}
