package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.Registry.Entry;
import java.time.Duration;
import java.util.List;

/** What the hub writes into packets and records, and reads from them. */
final class Fields {
  private Fields() {}

  @SuppressWarnings("EnumOrdinal") // Hub.VERSION changes if the order does
  static Packet addTo(Packet packet, LogSpec spec) {
    return packet
        .add(spec.name())
        .add(spec.capacity())
        .add(spec.maxFrameBytes())
        .add(spec.storage().ordinal())
        .add(spec.replicas())
        .add(spec.lease().toNanos());
  }

  @SuppressWarnings("EnumOrdinal") // as above, and in the files
  static LogSpec spec(Packet.Reader from) {
    String name = from.text();
    int capacity = from.integer();
    int maxFrameBytes = from.integer();
    int storage = from.integer();
    if (storage < 0 || storage >= Storage.values().length) {
      throw new BadPacketException("there is no storage " + storage);
    }
    int replicas = from.integer();
    return new LogSpec(
        name,
        capacity,
        maxFrameBytes,
        Storage.values()[storage],
        replicas,
        Duration.ofNanos(from.number()));
  }

  static Packet entries(Packet packet, List<Entry> entries) {
    packet.add(entries.size());
    entries.forEach(packet::add);
    return packet;
  }

  static Packet state(Packet packet, HubLog log) {
    LogState state = log.state();
    Duration oldest = state.oldest();
    return packet
        .add(state.stored())
        .add(state.handed())
        .add(state.isSealed())
        .add(oldest == null ? -1 : oldest.toNanos());
  }

  static LogSpec in(LogSpec spec, Storage storage) {
    return new LogSpec(
        spec.name(), spec.capacity(), spec.maxFrameBytes(), storage, spec.replicas(), spec.lease());
  }
}
