package io.heddle.cluster;

import io.heddle.Mutex;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Registry.Ended;
import io.heddle.cluster.spi.Registry.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The channels that one node has opened. */
final class RemoteChans {
  /** The end of the names of channels of dead letters. */
  static final String DEAD = ".dead";

  static final String PATH = "chan";

  private final Node node;

  /** Held while a channel is opened. */
  private final Mutex opening = new Mutex();

  private @Nullable Ended watching;

  /** Guarded by itself: the engine's thread looks up channels, too. */
  private final Map<String, RemoteChan<?>> open = new LinkedHashMap<>();

  /** Guarded by {@code open}. */
  private final List<Consumer<RemoteChan<?>>> watchers = new ArrayList<>();

  RemoteChans(Node node) {
    this.node = node;
    node.onOver(_ -> end());
  }

  private void end() {
    snapshot().forEach(RemoteChan::end);
  }

  private List<RemoteChan<?>> snapshot() {
    synchronized (open) {
      return List.copyOf(open.values());
    }
  }

  /** Returns the open channels, by name. */
  List<RemoteChan<?>> sorted() {
    return snapshot().stream()
        .sorted(Comparator.<RemoteChan<?>, String>comparing(RemoteChan::name))
        .toList();
  }

  /** Calls {@code opened} for each channel that is open, and for each that is opened later. */
  Runnable watch(Consumer<RemoteChan<?>> opened) {
    List<RemoteChan<?>> now;
    synchronized (open) {
      watchers.add(opened);
      now = List.copyOf(open.values());
    }
    now.forEach(opened);
    return () -> {
      synchronized (open) {
        watchers.remove(opened);
      }
    };
  }

  private @Nullable RemoteChan<?> find(String name) {
    synchronized (open) {
      return open.get(name);
    }
  }

  <T> RemoteChan<T> open(RemoteChan.Builder<T> wanted) throws InterruptedException {
    String name = wanted.name();
    String what = "channel " + name;
    opening.lockInterruptibly();
    try {
      node.checkOpen(what);
      RemoteChan<?> there = find(name);
      if (there != null) {
        return same(there, wanted);
      }
      if (watching == null) {
        watching = node.keys().watch(PATH, new Closes());
      }
      ChannelSettings agreed = agree(name, wanted);
      Log log = node.repeat(what, _ -> node.engine().log(agreed.log(name)));
      RemoteChan<T> made = new RemoteChan<>(node, name, wanted, agreed, log, this);
      List<Consumer<RemoteChan<?>>> told;
      synchronized (open) {
        open.put(name, made);
        told = List.copyOf(watchers);
      }
      told.forEach(each -> each.accept(made));
      Entry now = node.keys().get(key(name)); // a close that was told before the channel was there
      if (agreed.isClosed() || (now != null && read(name, now).isClosed())) {
        made.nowClosed();
      }
      if (node.isOver()) {
        made.end();
      }
      return made;
    } finally {
      opening.unlock();
    }
  }

  @SuppressWarnings("unchecked") // isAs compares the classes
  private <T> RemoteChan<T> same(RemoteChan<?> there, RemoteChan.Builder<T> wanted) {
    if (!wanted.isAs(there.settings())) {
      throw node.failure(
          "channel " + wanted.name(),
          "this node has opened it with " + there.settings() + ", not " + wanted);
    }
    return (RemoteChan<T>) there;
  }

  private ChannelSettings agree(String name, RemoteChan.Builder<?> wanted)
      throws InterruptedException {
    ChannelSettings mine = wanted.shared();
    while (true) {
      if (node.keys().create(key(name), mine.encode(), null).isPresent()) {
        return mine;
      }
      Entry entry = node.keys().get(key(name));
      if (entry != null) {
        ChannelSettings theirs = read(name, entry);
        boolean isReadable = wanted.codec().accepts(theirs.codec());
        if (!theirs.agree(isReadable ? mine.withCodec(theirs.codec()) : mine)) {
          throw node.failure("channel " + name, "exists with " + theirs + ", not " + mine);
        }
        return theirs;
      }
    }
  }

  private ChannelSettings read(String name, Entry entry) {
    try {
      return ChannelSettings.decode(entry.value());
    } catch (CodecException e) {
      throw node.failure(
          "channel " + name,
          "its key " + entry.key() + " has no settings of a channel: " + e.getMessage(),
          e);
    }
  }

  RemoteChan<DeadLetter> dead(String name, ChannelSettings from) throws InterruptedException {
    LetterCodec codec = LetterCodec.INSTANCE;
    return new RemoteChan.Builder<>(this, name + DEAD, DeadLetter.class, codec)
        .derived(from.dead(codec.type()))
        .open();
  }

  /** Marks a channel as closed for all nodes, and seals its log. */
  void close(String name, Log log) throws InterruptedException {
    node.checkOpen("channel " + name);
    boolean isMarked = false;
    while (!isMarked) {
      Entry entry = node.keys().get(key(name));
      if (entry == null) {
        throw node.failure("channel " + name, "is gone: another node has deleted it");
      }
      ChannelSettings now = read(name, entry);
      if (now.isClosed()) {
        break;
      }
      byte[] closed = now.closed().encode();
      OptionalLong done = node.keys().replace(key(name), closed, entry.revision(), null);
      isMarked = done.isPresent();
    }
    seal(name, log);
  }

  private void seal(String name, Log log) throws InterruptedException {
    boolean _ =
        node.repeat(
            "channel " + name,
            _ -> {
              log.seal();
              return true;
            });
  }

  void delete(String name) throws InterruptedException {
    opening.lockInterruptibly();
    try {
      node.checkOpen("channel " + name);
      Entry entry = node.keys().get(key(name));
      if (entry != null) {
        boolean _ = node.keys().delete(key(name), entry.revision());
      }
      boolean _ =
          node.repeat(
              "channel " + name,
              _ -> {
                node.engine().delete(name);
                return true;
              });
      RemoteChan<?> there;
      synchronized (open) {
        there = open.remove(name);
      }
      if (there != null) {
        there.end();
      }
    } finally {
      opening.unlock();
    }
  }

  private static String key(String name) {
    return PATH + "." + name;
  }

  /** Learns which channels are closed. */
  private final class Closes implements Registry.Watcher {
    @Override
    public void set(Entry entry) {
      RemoteChan<?> there = find(entry.key().substring(PATH.length() + 1));
      if (there != null && saysClosed(entry)) {
        there.nowClosed();
      }
    }

    private static boolean saysClosed(Entry entry) {
      try {
        return ChannelSettings.decode(entry.value()).isClosed();
      } catch (CodecException e) {
        return false; // not written by a node of this version
      }
    }

    @Override
    public void removed(String key) {
      // A deleted channel is noticed by the operations on it.
    }
  }
}
