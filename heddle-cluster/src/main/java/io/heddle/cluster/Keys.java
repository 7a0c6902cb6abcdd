package io.heddle.cluster;

import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Registry.Ended;
import io.heddle.cluster.spi.Registry.Entry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The registry, with operations that are repeated while the engine does not answer. A change whose
 * answer was lost is found by its value: so the values of a key must differ from node to node and
 * from change to change, unless equal changes mean the same.
 */
final class Keys {
  private final Node node;

  Keys(Node node) {
    this.node = node;
  }

  private Registry registry() {
    return node.engine().registry();
  }

  @Nullable Entry get(String key) throws InterruptedException {
    List<Entry> found =
        repeat(
            key,
            _ -> {
              Entry entry = registry().get(key);
              return entry == null ? List.of() : List.of(entry);
            });
    return found.isEmpty() ? null : found.getFirst();
  }

  List<Entry> list(String path) throws InterruptedException {
    return repeat(path, _ -> registry().list(path));
  }

  OptionalLong create(String key, byte[] value, @Nullable Duration ttl)
      throws InterruptedException {
    return repeat(
        key,
        isAgain -> {
          OptionalLong own = isAgain ? revisionOf(key, value) : OptionalLong.empty();
          return own.isPresent() ? own : registry().create(key, value, ttl);
        });
  }

  OptionalLong replace(String key, byte[] value, long revision, @Nullable Duration ttl)
      throws InterruptedException {
    return repeat(
        key,
        isAgain -> {
          OptionalLong own = isAgain ? revisionOf(key, value) : OptionalLong.empty();
          return own.isPresent() ? own : registry().replace(key, value, revision, ttl);
        });
  }

  /** Deletes a key. Returns false if it certainly was not there with that revision. */
  boolean delete(String key, long revision) throws InterruptedException {
    return repeat(key, isAgain -> registry().delete(key, revision) || isAgain);
  }

  Ended watch(String path, Registry.Watcher watcher) throws InterruptedException {
    return repeat(path, _ -> registry().watch(path, watcher));
  }

  private OptionalLong revisionOf(String key, byte[] value) throws InterruptedException {
    Entry entry = registry().get(key);
    return entry != null && Arrays.equals(entry.value(), value)
        ? OptionalLong.of(entry.revision())
        : OptionalLong.empty();
  }

  private <R> R repeat(String key, Node.Operation<R> operation) throws InterruptedException {
    return node.repeat("key " + key, operation);
  }
}
