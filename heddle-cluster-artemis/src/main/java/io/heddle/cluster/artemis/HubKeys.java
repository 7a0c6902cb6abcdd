package io.heddle.cluster.artemis;

import io.heddle.cluster.artemis.Dues.Due;
import io.heddle.cluster.spi.Registry.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one cluster at the hub. Belongs to the hub's thread. The revision of a value is the
 * id of its record.
 */
final class HubKeys {
  /** A time to live that does not end. */
  static final long FOREVER = -1;

  private static final int MAX_KEY = 256;
  private static final int MAX_VALUE_BYTES = 64 << 10;

  private final Hub hub;
  private final String cluster;
  private final TreeMap<String, Value> values = new TreeMap<>();
  private final Map<WatchId, String> watches = new LinkedHashMap<>(); // with the path

  private record Value(Entry entry, @Nullable Due end) {}

  private record WatchId(Hub.Link link, long number) {}

  HubKeys(Hub hub, String cluster) {
    this.hub = hub;
    this.cluster = cluster;
  }

  @Nullable Entry get(String key) {
    Value value = values.get(key);
    return value == null ? null : value.entry();
  }

  List<Entry> list(String path) {
    // The character after the dot: all keys below the path are before it.
    return values.subMap(path + ".", path + "/").values().stream().map(Value::entry).toList();
  }

  /** Sets a key; 0 if it exists. */
  long create(String key, byte[] bytes, long ttlNanos) {
    return values.containsKey(key) ? 0 : set(key, bytes, ttlNanos);
  }

  /** Sets a key; 0 if it does not exist or has another revision. */
  long replace(String key, byte[] bytes, long ttlNanos, long expected) {
    return has(key, expected) ? set(key, bytes, ttlNanos) : 0;
  }

  boolean delete(String key, long expected) {
    if (!has(key, expected)) {
      return false;
    }
    remove(key);
    return true;
  }

  private boolean has(String key, long expected) {
    Value value = values.get(key);
    return value != null && value.entry().revision() == expected;
  }

  private long set(String key, byte[] bytes, long ttlNanos) {
    if (key.length() > MAX_KEY || bytes.length > MAX_VALUE_BYTES) {
      throw hub.refusal(
          "%d characters with %d bytes, at most %d with %d are allowed"
              .formatted(key.length(), bytes.length, MAX_KEY, MAX_VALUE_BYTES));
    }
    long revision = hub.store().nextId();
    hub.store()
        .add(
            revision,
            HubStore.Kind.KEY,
            new Packet(bytes.length + key.length()).add(cluster).add(key).add(bytes).add(ttlNanos));
    put(new Entry(key, bytes, revision), ttlNanos);
    return revision;
  }

  /** Takes a key that was stored by an earlier hub; its time to live begins anew. */
  void restore(Entry entry, long ttlNanos) {
    put(entry, ttlNanos);
  }

  private void put(Entry entry, long ttlNanos) {
    Due end = ttlNanos == FOREVER ? null : hub.dues().add(ttlNanos, () -> remove(entry.key()));
    forget(values.put(entry.key(), new Value(entry, end)));
    tell(entry.key(), watch -> new Packet(Op.SET, 0, entry.value().length).add(watch).add(entry));
  }

  private void remove(String key) {
    forget(values.remove(key));
    tell(key, watch -> new Packet(Op.REMOVED, 0).add(watch).add(key));
  }

  private void forget(@Nullable Value before) {
    if (before != null) {
      hub.dues().cancel(before.end());
      hub.store().delete(before.entry().revision());
    }
  }

  private void tell(String key, java.util.function.LongFunction<Packet> packet) {
    watches.forEach(
        (watch, path) -> {
          if (key.startsWith(path + ".")) {
            watch.link().send(packet.apply(watch.number()));
          }
        });
  }

  /** Begins to tell a node about changes; returns what is there now. */
  List<Entry> watch(Hub.Link link, long number, String path) {
    watches.put(new WatchId(link, number), path);
    return list(path);
  }

  void unwatch(Hub.Link link, long number) {
    watches.remove(new WatchId(link, number));
  }

  void gone(Hub.Link link) {
    new ArrayList<>(watches.keySet())
        .stream().filter(each -> each.link() == link).forEach(watches::remove);
  }
}
