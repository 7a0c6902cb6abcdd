package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The keys of a cluster, as one node sees them. */
final class EmbeddedKeys implements Registry {
  private final NodeLink link;

  EmbeddedKeys(NodeLink link) {
    this.link = link;
  }

  private Packet.Reader ask(Packet packet, String key) throws InterruptedException {
    return link.await(link.request(packet, "key " + key));
  }

  private static long nanos(@Nullable Duration ttl) {
    return ttl == null ? HubKeys.FOREVER : ttl.toNanos();
  }

  private static OptionalLong revision(Packet.Reader answer) {
    long revision = answer.number();
    return revision == 0 ? OptionalLong.empty() : OptionalLong.of(revision);
  }

  private static List<Entry> entries(Packet.Reader answer) {
    int count = answer.integer();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(answer.entry());
    }
    return entries;
  }

  @Override
  public @Nullable Entry get(String key) throws InterruptedException {
    Packet.Reader answer = ask(new Packet(Op.GET).add(key), key);
    return answer.flag() ? answer.entry() : null;
  }

  @Override
  public List<Entry> list(String path) throws InterruptedException {
    return entries(ask(new Packet(Op.LIST).add(path), path));
  }

  @Override
  public OptionalLong create(String key, byte[] value, @Nullable Duration ttl)
      throws InterruptedException {
    return revision(ask(new Packet(Op.CREATE).add(key).add(value).add(nanos(ttl)), key));
  }

  @Override
  public OptionalLong replace(String key, byte[] value, long revision, @Nullable Duration ttl)
      throws InterruptedException {
    return revision(
        ask(new Packet(Op.REPLACE).add(key).add(value).add(nanos(ttl)).add(revision), key));
  }

  @Override
  public boolean delete(String key, long revision) throws InterruptedException {
    return ask(new Packet(Op.DELETE_KEY).add(key).add(revision), key).flag();
  }

  @Override
  public Ended watch(String path, Watcher watcher) throws InterruptedException {
    Watching watching = new Watching(path, watcher);
    link.checkOpen();
    link.add(watching.number, watching);
    boolean isBegun = false;
    try {
      boolean _ = link.await(watching.begin());
      isBegun = true;
      return watching;
    } finally {
      if (!isBegun) {
        watching.close();
      }
    }
  }

  /** A watcher with its path. {@code told} is used while a packet of the hub is taken. */
  private final class Watching implements Ended, NodeLink.Part {
    private final long number = link.newNumber();
    private final String path;
    private final Watcher watcher;
    private final Map<String, Long> told = new HashMap<>();
    private volatile boolean isClosed;

    Watching(String path, Watcher watcher) {
      this.path = path;
      this.watcher = watcher;
    }

    /** Asks for what is there now; the hub then sends each change, after its answer. */
    CompletableFuture<Boolean> begin() {
      CompletableFuture<Packet.Reader> answer = new CompletableFuture<>();
      CompletableFuture<Boolean> told =
          answer.thenApply(
              existing -> {
                existing(entries(existing));
                return true;
              });
      Packet packet = new Packet(Op.WATCH).add(number).add(path);
      CompletableFuture<Packet.Reader> _ =
          link.request(packet, "keys below " + path, NodeLink.ANSWER, answer);
      return told;
    }

    private void existing(List<Entry> entries) {
      Set<String> keys = new HashSet<>();
      entries.forEach(each -> keys.add(each.key()));
      Set.copyOf(told.keySet()).stream().filter(key -> !keys.contains(key)).forEach(this::removed);
      entries.forEach(this::set);
    }

    private void set(Entry entry) {
      Long before = told.put(entry.key(), entry.revision());
      if (!isClosed && (before == null || before != entry.revision())) {
        watcher.set(entry);
      }
    }

    private void removed(String key) {
      if (told.remove(key) != null && !isClosed) {
        watcher.removed(key);
      }
    }

    @Override
    public void take(Op op, Packet.Reader packet) {
      if (op == Op.SET) {
        set(packet.entry());
      } else {
        removed(packet.text());
      }
    }

    @Override
    public void connected() {
      try {
        CompletableFuture<Boolean> _ = begin();
      } catch (ClusterException e) {
        // The engine was closed.
      }
    }

    @Override
    public void close() {
      isClosed = true;
      link.remove(number, Op.UNWATCH);
    }
  }
}
