package io.heddle.cli.cluster;

import io.heddle.cluster.ChannelStats;
import io.heddle.cluster.ClusterStatus;
import io.heddle.cluster.ClusterStatus.ChannelStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What happened in the channels between two looks, per second. */
final class Rates {
  private final Map<String, ChannelStats> before = new HashMap<>();
  private final double seconds;

  Rates(ClusterStatus before, double seconds) {
    this.seconds = seconds;
    before.channels().forEach(each -> this.before.put(each.name(), each.stats()));
  }

  /** Returns 0 for a channel that is new, or whose counts have fallen because a node has gone. */
  double of(ChannelStatus channel, ToLongFunction<ChannelStats> count) {
    ChannelStats last = before.get(channel.name());
    long difference =
        last == null ? 0 : count.applyAsLong(channel.stats()) - count.applyAsLong(last);
    return Math.max(0, difference) / seconds;
  }
}
