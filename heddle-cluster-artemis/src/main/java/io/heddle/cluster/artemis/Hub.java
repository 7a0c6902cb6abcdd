package io.heddle.cluster.artemis;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.artemis.HubStore.Found;
import io.heddle.cluster.artemis.HubStore.Kind;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.cluster.spi.Registry.Entry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The engine itself, in one JVM of the group: it decides what is stored, which node holds what, and
 * which keys there are. One thread does everything, in rounds:
 *
 * <ol>
 *   <li>Take the messages that have come, and what is due.
 *   <li>Do what they ask for; collect changes of the store and answers.
 *   <li>Write the changes, all at once.
 *   <li>Send the answers and the frames that were handed out.
 * </ol>
 *
 * <p>Step 4 comes after step 3: nothing is confirmed or handed out that a crash could take back.
 * All state belongs to this thread, so there are no locks. A node is known by the name of its
 * queue; when that is removed, with its connection, all that the node held is given back.
 *
 * <p>The file is long because one thread decides everything, and each kind of packet is a method.
 */
final class Hub implements AutoCloseable {
  /** Of the protocol; a node with another one is refused. */
  static final int VERSION = 1;

  /** The largest frame of any log. */
  private static final int MAX_FRAME_BYTES = 4 << 20;

  /** After so many packets a round writes and answers. */
  private static final int MAX_PACKETS = 4_096;

  private static final long MAX_WAIT_NANOS = 1_000_000_000;

  private final HubStore store;
  private final HubBroker broker;
  private final Dues dues = new Dues();
  private final BlockingQueue<Event> inbox = new LinkedBlockingQueue<>();
  private final Map<String, Link> links = new HashMap<>();
  private final Set<Link> answered = new LinkedHashSet<>();
  private final Map<String, Group> groups = new HashMap<>();
  private final Map<Long, HubLog> logs = new HashMap<>(); // by number
  private final Deque<IdsRecord> idsRecords = new ArrayDeque<>();
  private final Map<Long, List<String>> acked = new LinkedHashMap<>(); // ids by log, of this round
  private final Set<Attempts> handedOut = new LinkedHashSet<>(); // of this round
  private final Thread thread;
  private final Runnable onEnd;
  private volatile boolean isClosed;

  /** The logs, keys and listeners of one cluster. */
  private record Group(String name, Map<String, HubLog> logs, HubKeys keys, HubWire wire) {}

  @FunctionalInterface
  private interface Stop {
    void run() throws Exception;
  }

  private record IdsRecord(long id, long since) {}

  /** Packets of a node, or no packets: it is gone. */
  private record Event(String node, Packet.@Nullable Reader packets) {}

  /** A node that is connected. */
  final class Link {
    private final String queue;
    private final Group group;
    private final Map<Long, HubLog.Consumer> taps = new HashMap<>();
    private final List<Packet> answers = new ArrayList<>();

    private Link(String queue, Group group) {
      this.queue = queue;
      this.group = group;
    }

    /** Sends a packet when this round is written. */
    void send(Packet packet) {
      answers.add(packet);
      answered.add(this);
    }
  }

  /** Starts a hub. {@code onEnd} is run when it has ended, in whatever way. */
  Hub(Path folder, EmbeddedAddress address, Runnable onEnd) throws Exception {
    this.onEnd = onEnd;
    store = new HubStore(folder.resolve("journal"), address.isForced(), this::failed);
    restore(store.start());
    store.flush();
    try {
      broker =
          new HubBroker(
              folder,
              address,
              (node, packets) -> inbox.add(new Event(node, packets)),
              queue -> inbox.add(new Event(queue, null)));
    } catch (Exception e) {
      store.stop();
      throw e;
    }
    thread = Thread.ofPlatform().daemon().name("heddle-hub").start(this::run);
  }

  int port() {
    return broker.port();
  }

  HubStore store() {
    return store;
  }

  Dues dues() {
    return dues;
  }

  /** What a node is told that asked for something impossible. */
  ClusterException refusal(String why) {
    return new ClusterException(why);
  }

  /** Remembers the id of a frame that is acknowledged in this round. */
  void rememberAcked(long log, String id) {
    acked.computeIfAbsent(log, _ -> new ArrayList<>()).add(id);
  }

  /** Remembers that a log hands out frames in this round. */
  void handsOut(Attempts of) {
    handedOut.add(of);
  }

  private Group group(String cluster) {
    return groups.computeIfAbsent(
        cluster,
        name -> new Group(name, new HashMap<>(), new HubKeys(this, name), new HubWire(this)));
  }

  // The thread.

  private void run() {
    try {
      while (!isClosed) {
        Event first = inbox.poll(dues.nanosToNext(MAX_WAIT_NANOS), TimeUnit.NANOSECONDS);
        int packets = 0;
        for (Event each = first; each != null; each = packets < MAX_PACKETS ? inbox.poll() : null) {
          packets += take(each);
        }
        dues.run();
        forgetOldIds();
        writeIds();
        handedOut.forEach(Attempts::write);
        handedOut.clear();
        store.flush();
        if (!isClosed) { // the store may have failed without an exception here
          send();
        }
      }
    } catch (Exception e) {
      failed(e);
    } finally {
      isClosed = true;
      end(broker::stop);
      end(store::stop);
      onEnd.run();
    }
  }

  private void send() throws Exception {
    for (Link each : answered) {
      broker.send(each.queue, each.answers);
      each.answers.clear();
    }
    answered.clear();
  }

  private void failed(Throwable why) {
    if (!isClosed) {
      isClosed = true;
      System.getLogger(Hub.class.getName())
          .log(System.Logger.Level.ERROR, "the hub has failed, and ends", why);
    }
  }

  private static void end(Stop part) {
    try {
      part.run();
    } catch (Exception e) {
      System.getLogger(Hub.class.getName())
          .log(System.Logger.Level.WARNING, "a part of the hub does not close", e);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    inbox.add(new Event("", null));
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void forgetOldIds() {
    long now = System.nanoTime();
    for (IdsRecord first = idsRecords.peek();
        first != null && now - first.since() > HubLog.ID_NANOS;
        first = idsRecords.peek()) {
      idsRecords.remove();
      store.delete(first.id());
    }
  }

  /** Writes the ids before their frames are deleted, so that a crash loses none. */
  private void writeIds() {
    if (!acked.isEmpty()) {
      Packet fields = new Packet(0);
      acked.forEach((log, ids) -> ids.forEach(id -> fields.add(log).add(id)));
      acked.clear();
      long record = store.nextId();
      store.addFirst(record, Kind.IDS, fields);
      idsRecords.add(new IdsRecord(record, System.nanoTime()));
    }
  }

  // What was stored.

  private void restore(List<Found> records) {
    for (Found each : records) {
      if (each.kind() == Kind.LOG) {
        restoreLog(each.id(), each.fields());
      }
    }
    for (Found each : records) {
      Packet.Reader fields = each.fields();
      switch (each.kind()) {
        case FRAME -> {
          HubLog log = logs.get(fields.number());
          if (log == null) {
            store.delete(each.id()); // its log was being deleted
          } else {
            log.restore(each.id(), fields.text(), fields.bytes());
          }
        }
        case KEY ->
            group(fields.text())
                .keys()
                .restore(new Entry(fields.text(), fields.bytes(), each.id()), fields.number());
        case IDS -> {
          while (fields.hasMore()) {
            HubLog log = logs.get(fields.number());
            String id = fields.text();
            if (log != null) {
              log.remember(id);
            }
          }
          idsRecords.add(new IdsRecord(each.id(), System.nanoTime()));
        }
        case HANDED -> {
          Attempts attempts = attempts(each, fields);
          if (attempts != null) {
            attempts.restoreHanded(each.id(), fields.number());
          }
        }
        case ATTEMPTS -> {
          Attempts attempts = attempts(each, fields);
          if (attempts != null) {
            attempts.restoreRepeated(each.id(), fields.number(), fields.integer());
          }
        }
        case LOG, RESERVED -> {}
      }
    }
    logs.values().forEach(HubLog::restored);
  }

  /** Returns to which log a record belongs; null if that is deleted. */
  private @Nullable Attempts attempts(Found record, Packet.Reader fields) {
    HubLog log = logs.get(fields.number());
    if (log == null) {
      store.delete(record.id());
      return null;
    }
    return log.attempts();
  }

  private void restoreLog(long record, Packet.Reader fields) {
    long number = fields.number();
    Group group = group(fields.text());
    LogSpec spec = Fields.spec(fields);
    HubLog log = new HubLog(this, spec.name(), spec, number, record, fields.flag());
    HubLog before = logs.put(number, log);
    if (before != null) {
      store.delete(before.record()); // the log was being sealed
    }
    group.logs().put(spec.name(), log);
  }

  private long writeLog(String cluster, HubLog log, boolean isSealed) {
    long record = store.nextId();
    Packet fields = Fields.addTo(new Packet(0).add(log.number()).add(cluster), log.spec());
    store.add(record, Kind.LOG, fields.add(isSealed));
    return record;
  }

  // What nodes ask for.

  /** Takes a message; returns how many packets it had. */
  private int take(Event event) {
    Link link = links.get(event.node());
    Packet.Reader packets = event.packets();
    int count = 0;
    if (packets == null) {
      gone(event.node());
      return 1;
    }
    try {
      while (packets.hasMore()) {
        count++;
        Packet.Reader packet = packets.packet();
        Op op = packet.op();
        long number = packet.number();
        if (op == Op.HELLO) {
          link = hello(event.node(), number, packet);
        } else if (link != null) {
          answer(link, op, number, packet);
        }
      }
    } catch (BadPacketException e) {
      gone(event.node()); // what a node says later is not heard, until it connects again
    }
    return count;
  }

  private void gone(String node) {
    Link link = links.remove(node);
    if (link != null) {
      answered.remove(link);
      List.copyOf(link.taps.values()).forEach(HubLog.Consumer::close);
      link.group.keys().gone(link);
      link.group.wire().gone(link);
    }
  }

  private @Nullable Link hello(String node, long number, Packet.Reader packet) {
    int version = packet.integer();
    String cluster = packet.text();
    if (!broker.has(node)) {
      return null; // it was removed before its first message was read
    }
    Link link = new Link(node, group(cluster));
    if (version != VERSION) {
      link.send(
          new Packet(Op.REFUSED, number)
              .add("the hub has protocol %d, this node has %d".formatted(VERSION, version)));
      return null;
    }
    links.put(node, link);
    link.send(new Packet(Op.DONE, number));
    return link;
  }

  private void answer(Link link, Op op, long number, Packet.Reader packet) {
    try {
      Packet answer = answerTo(link, op, number, packet);
      if (answer != null) {
        link.send(answer);
      }
    } catch (ClusterException e) {
      link.send(new Packet(Op.REFUSED, number).add(String.valueOf(e.getMessage())));
    }
  }

  /** Returns null if the operation has no answer, or not yet. */
  @SuppressWarnings({"EnumOrdinal", "RefactorSwitch"}) // some cases answer later
  private @Nullable Packet answerTo(Link link, Op op, long number, Packet.Reader packet) {
    Packet done = new Packet(Op.DONE, number);
    Group group = link.group;
    switch (op) {
      case BYE -> {
        return done;
      }
      case OPEN -> {
        open(group, Fields.spec(packet));
        return done;
      }
      case LOOK -> {
        HubLog log = group.logs().get(packet.text());
        return log == null ? done.add(false) : Fields.state(done.add(true), log);
      }
      case DELETE -> {
        delete(group, packet.text());
        return done;
      }
      case PUBLISH -> {
        HubLog log = log(group, packet);
        return done.add(log.publish(packet.text(), packet.bytes()).ordinal());
      }
      case ROOM -> {
        log(group, packet).whenRoom(() -> link.send(done));
        return null;
      }
      case TAP -> {
        HubLog log = log(group, packet);
        long tap = packet.number();
        link.send(done); // before the first frame
        link.taps.put(tap, log.consumer(link, tap, packet.integer()));
        return null;
      }
      case UNTAP -> {
        HubLog.Consumer tap = link.taps.remove(packet.number());
        if (tap != null) {
          tap.close();
        }
        return null;
      }
      case CREDIT -> {
        HubLog.Consumer tap = link.taps.get(packet.number());
        if (tap != null) {
          tap.credit();
        }
        return null;
      }
      case STATE -> {
        return Fields.state(done, log(group, packet));
      }
      case SEAL -> {
        HubLog log = log(group, packet);
        if (log.isStored() && !log.isSealed()) {
          long old = log.record();
          log.setRecord(writeLog(group.name(), log, true));
          store.delete(old);
        }
        log.seal();
        return done;
      }
      case ACK -> {
        log(group, packet).ack(packet.number(), packet.number());
        return done;
      }
      case GIVE_BACK -> {
        log(group, packet).giveBack(packet.number(), packet.number(), packet.number());
        return done;
      }
      case RENEW -> {
        log(group, packet).renew(packet.number(), packet.number());
        return done;
      }
      case GET -> {
        Entry entry = group.keys().get(packet.text());
        return entry == null ? done.add(false) : done.add(true).add(entry);
      }
      case LIST -> {
        return Fields.entries(done, group.keys().list(packet.text()));
      }
      case CREATE -> {
        return done.add(group.keys().create(packet.text(), packet.bytes(), packet.number()));
      }
      case REPLACE -> {
        return done.add(
            group.keys().replace(packet.text(), packet.bytes(), packet.number(), packet.number()));
      }
      case DELETE_KEY -> {
        return done.add(group.keys().delete(packet.text(), packet.number()));
      }
      case WATCH -> {
        return Fields.entries(done, group.keys().watch(link, packet.number(), packet.text()));
      }
      case UNWATCH -> {
        group.keys().unwatch(link, packet.number());
        return null;
      }
      case TELL -> {
        group.wire().tell(packet.text(), packet.bytes());
        return null;
      }
      case ASK -> {
        group.wire().ask(link, number, packet.text(), packet.bytes(), packet.number());
        return null;
      }
      case ANSWER -> {
        group.wire().answer(packet.number(), packet.bytes());
        return null;
      }
      case LISTEN -> {
        group.wire().listen(link, packet.number(), packet.text());
        return done;
      }
      case UNLISTEN -> {
        group.wire().unlisten(link, packet.number());
        return null;
      }
      default -> throw new BadPacketException(op + " is no request");
    }
  }

  private HubLog log(Group group, Packet.Reader packet) {
    String name = packet.text();
    HubLog log = group.logs().get(name);
    if (log == null) {
      throw refusal("log " + name + " is gone: it was deleted, or kept in memory by another hub");
    }
    return log;
  }

  private void open(Group group, LogSpec wanted) {
    if (wanted.replicas() != 1 || wanted.maxFrameBytes() > MAX_FRAME_BYTES) {
      throw refusal(
          "log %s: one copy is kept, and frames of at most %d bytes, not %d copies and %d bytes"
              .formatted(
                  wanted.name(), MAX_FRAME_BYTES, wanted.replicas(), wanted.maxFrameBytes()));
    }
    HubLog log = group.logs().get(wanted.name());
    if (log == null) {
      Storage storage = wanted.storage() == Storage.ANY ? Storage.FILES : wanted.storage();
      HubLog made =
          new HubLog(this, wanted.name(), Fields.in(wanted, storage), store.nextId(), 0, false);
      if (made.isStored()) {
        made.setRecord(writeLog(group.name(), made, false));
      }
      logs.put(made.number(), made);
      group.logs().put(wanted.name(), made);
    } else {
      LogSpec found = log.spec();
      Storage storage = wanted.storage() == Storage.ANY ? found.storage() : wanted.storage();
      if (!found.equals(Fields.in(wanted, storage))) {
        throw refusal("log " + wanted.name() + " is " + found + ", not " + wanted);
      }
    }
  }

  private void delete(Group group, String name) {
    HubLog log = group.logs().remove(name);
    if (log != null) {
      logs.remove(log.number());
      if (log.isStored()) {
        store.delete(log.record());
      }
      log.clear();
    }
  }
}
