package io.heddle.cluster;

import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.time.Duration;

/**
 * What all nodes agree on about a channel; stored under the channel's key.
 *
 * @param isClosed whether it was closed for all processes
 */
record ChannelSettings(
    int capacity,
    int batch,
    int maxItemBytes,
    Storage storage,
    int replicas,
    long leaseMillis,
    String codec,
    boolean isClosed) {
  ChannelSettings {
    if (capacity < 1
        || batch < 1
        || maxItemBytes < 1
        || maxItemBytes > MAX_FRAME_BYTES
        || storage == null
        || replicas < 1
        || leaseMillis < 1
        || codec == null) {
      throw new IllegalArgumentException("settings of a channel with a value that is not allowed");
    }
  }

  private static final Codec<ChannelSettings> JSON = Codec.json(ChannelSettings.class);

  /** The largest frame that an engine must take. */
  private static final int MAX_FRAME_BYTES = 900_000;

  /** What a dead letter adds to the item, or frame, in it. */
  private static final int LETTER_HEADER = 16 * 1_024;

  /** The largest item; in a frame of its own it fits into a dead letter. */
  static final int MAX_ITEM_BYTES =
      MAX_FRAME_BYTES - 2 * (Frame.HEADER + Frame.ITEM_HEADER) - LETTER_HEADER;

  byte[] encode() {
    return JSON.encode(this);
  }

  static ChannelSettings decode(byte[] bytes) {
    return JSON.decode(bytes);
  }

  ChannelSettings closed() {
    return new ChannelSettings(
        capacity, batch, maxItemBytes, storage, replicas, leaseMillis, codec, true);
  }

  ChannelSettings withCodec(String type) {
    return new ChannelSettings(
        capacity, batch, maxItemBytes, storage, replicas, leaseMillis, type, isClosed);
  }

  /** Whether these are equal to {@code other}, apart from the close. */
  boolean agree(ChannelSettings other) {
    return closed().equals(other.closed());
  }

  /**
   * Frames of up to {@code batch} items: so many that there are never more than {@code capacity}
   * items.
   */
  LogSpec log(String name) {
    return new LogSpec(
        name,
        Math.max(1, capacity / batch),
        maxFrameBytes(),
        storage,
        replicas,
        Duration.ofMillis(leaseMillis));
  }

  int maxFrameBytes() {
    long one = Frame.HEADER + Frame.ITEM_HEADER + (long) maxItemBytes;
    long all = Frame.HEADER + (long) batch * (maxItemBytes + Frame.ITEM_HEADER);
    return (int) Math.max(one, Math.min(all, MAX_FRAME_BYTES - LETTER_HEADER));
  }

  /** The settings of the channel of dead letters. */
  ChannelSettings dead(String codecType) {
    return new ChannelSettings(
        Math.max(capacity, 1_000),
        1,
        maxFrameBytes() + LETTER_HEADER / 2,
        storage,
        replicas,
        leaseMillis,
        codecType,
        false);
  }

  @Override
  public String toString() {
    return "capacity "
        + capacity
        + ", batch "
        + batch
        + ", items up to "
        + maxItemBytes
        + " bytes, storage "
        + storage
        + ", replicas "
        + replicas
        + ", lease "
        + leaseMillis
        + " ms, codec "
        + codec;
  }
}
