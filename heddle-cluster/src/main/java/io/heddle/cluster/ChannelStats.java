package io.heddle.cluster;

/**
 * What this node has done with a channel since it opened it.
 *
 * @param sent items that the engine has confirmed
 * @param received items that were handed to this node, repeated ones included
 * @param repeated those of them that had been delivered before
 * @param acknowledged items that were settled here
 * @param dead items that became dead letters here
 * @param holding frames that this node holds now
 */
public record ChannelStats(
    long sent, long received, long repeated, long acknowledged, long dead, int holding) {
  static final ChannelStats NONE = new ChannelStats(0, 0, 0, 0, 0, 0);

  /** Returns the counts of two nodes together. */
  ChannelStats plus(ChannelStats other) {
    return new ChannelStats(
        sent + other.sent,
        received + other.received,
        repeated + other.repeated,
        acknowledged + other.acknowledged,
        dead + other.dead,
        holding + other.holding);
  }
}
