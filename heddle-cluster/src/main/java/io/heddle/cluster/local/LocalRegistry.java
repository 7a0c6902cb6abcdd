package io.heddle.cluster.local;

import io.heddle.cluster.local.DueList.Due;
import io.heddle.cluster.spi.Registry.Entry;
import io.heddle.cluster.spi.Registry.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The keys of one cluster. The hub's lock guards everything. */
final class LocalRegistry {
  private final LocalHub hub;
  private final TreeMap<String, Value> values = new TreeMap<>();
  private final Set<Watching> watchers = new LinkedHashSet<>();
  private long revision;

  LocalRegistry(LocalHub hub) {
    this.hub = hub;
  }

  private record Value(Entry entry, @Nullable Due end) {}

  @Nullable Entry get(String key) {
    Value value = values.get(key);
    return value == null ? null : value.entry;
  }

  List<Entry> list(String path) {
    List<Entry> found = new ArrayList<>();
    // The character after the dot: all keys below the path are before it.
    for (Value value : values.subMap(path + ".", path + "/").values()) {
      found.add(value.entry);
    }
    return found;
  }

  OptionalLong create(String key, byte[] bytes, @Nullable Duration ttl) {
    return values.containsKey(key) ? OptionalLong.empty() : set(key, bytes, ttl);
  }

  OptionalLong replace(String key, byte[] bytes, long expected, @Nullable Duration ttl) {
    return has(key, expected) ? set(key, bytes, ttl) : OptionalLong.empty();
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
    return value != null && value.entry.revision() == expected;
  }

  private OptionalLong set(String key, byte[] bytes, @Nullable Duration ttl) {
    Entry entry = new Entry(key, bytes.clone(), ++revision);
    Due end = ttl == null ? null : hub.dues().add(ttl.toNanos(), () -> remove(key));
    Value before = values.put(key, new Value(entry, end));
    if (before != null) {
      hub.dues().cancel(before.end);
    }
    for (Watching each : watchers) {
      each.set(entry);
    }
    return OptionalLong.of(revision);
  }

  private void remove(String key) {
    Value value = values.remove(key);
    if (value != null) {
      hub.dues().cancel(value.end);
      revision++;
      for (Watching each : watchers) {
        each.removed(key);
      }
    }
  }

  Watching watching(LocalLink link, String path, Watcher watcher) {
    return new Watching(link, path, watcher);
  }

  /** A watcher with its path. */
  final class Watching {
    private final LocalLink link;
    private final String path;
    private final Watcher watcher;
    private final Map<String, Entry> told = new TreeMap<>();
    private final Runnable heal = this::tellAll;
    private boolean isClosed;

    private Watching(LocalLink link, String path, Watcher watcher) {
      this.link = link;
      this.path = path;
      this.watcher = watcher;
    }

    void begin() {
      if (!isClosed) {
        watchers.add(this);
        link.onHeal(heal);
        link.onEnd(this::close);
        tellAll();
      }
    }

    private void set(Entry entry) {
      if (entry.key().startsWith(path + ".")) {
        tell(() -> told.put(entry.key(), entry), () -> watcher.set(entry));
      }
    }

    private void removed(String key) {
      if (key.startsWith(path + ".")) {
        tell(() -> told.remove(key), () -> watcher.removed(key));
      }
    }

    private void tell(Runnable atNode, Runnable callback) {
      link.toNodeSurely(
          () -> {
            atNode.run();
            hub.post(
                () -> {
                  if (!isClosed) {
                    callback.run();
                  }
                });
          });
    }

    /** Tells about what is there now, and what is not any more. */
    private void tellAll() {
      for (String key : List.copyOf(told.keySet())) {
        if (!values.containsKey(key)) {
          removed(key);
        }
      }
      list(path).forEach(this::set);
    }

    void close() {
      isClosed = true;
      watchers.remove(this);
      link.forgetOnHeal(heal);
    }
  }
}
