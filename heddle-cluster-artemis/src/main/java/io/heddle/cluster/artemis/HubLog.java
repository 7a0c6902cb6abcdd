package io.heddle.cluster.artemis;

import io.heddle.cluster.artemis.Dues.Due;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One log at the hub: its frames, the ids it remembers, and its taps. Belongs to the hub's thread.
 *
 * <ol>
 *   <li>A frame is in {@code ready}, or held by one consumer, or kept back until a delay ends. All
 *       three are in {@code frames}, and count for the capacity.
 *   <li>Each hand-out gets a hold of its own. An acknowledgement, a renewal and a return name the
 *       hold; another than the present one is refused, also by a hub that was started again,
 *       because a hold is never used twice. So a late acknowledgement cannot remove a frame that
 *       another tap holds.
 *   <li>The slot of a frame whose lease has ended is free only when the node has said so ({@link
 *       Op#CREDIT}). So a node that stands still is not handed one frame after the other.
 * </ol>
 */
final class HubLog {
  /** How long the id of a frame is remembered. */
  static final long ID_NANOS = 120_000_000_000L;

  private static final int MAX_ID = 128;

  private final Hub hub;
  private final String name;
  private final LogSpec spec;
  private final long number;
  private final boolean isStored;
  private final TreeMap<Long, Frame> frames = new TreeMap<>();
  private final TreeMap<Long, Frame> ready = new TreeMap<>();
  private final Attempts attempts;
  private final Map<String, Long> ids = new HashMap<>();
  private final Deque<Remembered> idsByTime = new ArrayDeque<>();
  private final List<Consumer> consumers = new ArrayList<>();
  private final List<Runnable> roomWaiters = new ArrayList<>();
  private int next;
  private int held;
  private long record;
  private boolean isSealed;

  private record Remembered(String id, long since) {}

  /** A frame that is not acknowledged. */
  private static final class Frame {
    final long sequence;
    final String id;
    final byte[] bytes;
    final long since = System.nanoTime();
    long hold;
    @Nullable Consumer holder;
    @Nullable Due lease;

    Frame(long sequence, String id, byte[] bytes) {
      this.sequence = sequence;
      this.id = id;
      this.bytes = bytes;
    }
  }

  /**
   * Makes a log.
   *
   * @param number what its frames have in their records
   * @param record its own record; 0 if it is kept in memory only
   */
  HubLog(Hub hub, String name, LogSpec spec, long number, long record, boolean isSealed) {
    this.hub = hub;
    this.name = name;
    this.spec = spec;
    this.number = number;
    this.record = record;
    this.isSealed = isSealed;
    isStored = spec.storage() != Storage.MEMORY;
    attempts = new Attempts(hub.store(), number, isStored);
  }

  LogSpec spec() {
    return spec;
  }

  long number() {
    return number;
  }

  Attempts attempts() {
    return attempts;
  }

  boolean isSealed() {
    return isSealed;
  }

  /** Whether the log is in a record. */
  boolean isStored() {
    return isStored;
  }

  // The records.

  long record() {
    return record;
  }

  void setRecord(long id) {
    record = id;
  }

  /** Takes a frame that was stored by an earlier hub. */
  void restore(long sequence, String id, byte[] bytes) {
    Frame frame = new Frame(sequence, id, bytes);
    frames.put(sequence, frame);
    ready.put(sequence, frame);
    remember(id);
  }

  /** All records were read. */
  void restored() {
    attempts.restored(frames.keySet());
  }

  /** Remembers an id, from now on. */
  void remember(String id) {
    long now = System.nanoTime();
    ids.put(id, now);
    idsByTime.add(new Remembered(id, now));
  }

  private void forgetOldIds() {
    long now = System.nanoTime();
    for (Remembered each = idsByTime.peek();
        each != null && now - each.since() > ID_NANOS;
        each = idsByTime.peek()) {
      idsByTime.remove();
      ids.remove(each.id(), each.since());
    }
  }

  // Publishers.

  PublishResult publish(String id, byte[] bytes) {
    if (bytes.length > spec.maxFrameBytes()) {
      throw hub.refusal(
          "log %s: a frame has %d bytes, at most %d are allowed"
              .formatted(name, bytes.length, spec.maxFrameBytes()));
    }
    if (id.length() > MAX_ID) {
      throw hub.refusal(
          "log %s: an id has %d characters, at most %d are allowed"
              .formatted(name, id.length(), MAX_ID));
    }
    forgetOldIds();
    if (ids.containsKey(id)) {
      return PublishResult.STORED;
    }
    if (isSealed) {
      return PublishResult.SEALED;
    }
    if (frames.size() >= spec.capacity()) {
      return PublishResult.FULL;
    }
    Frame frame = new Frame(hub.store().nextId(), id, bytes);
    if (isStored) {
      hub.store()
          .add(
              frame.sequence,
              HubStore.Kind.FRAME,
              new Packet(bytes.length + id.length()).add(number).add(id).add(bytes));
    }
    remember(id);
    frames.put(frame.sequence, frame);
    ready.put(frame.sequence, frame);
    handOut();
    return PublishResult.STORED;
  }

  /** Runs {@code action} once: now if there is room, or when there is. */
  void whenRoom(Runnable action) {
    if (frames.size() < spec.capacity() || isSealed) {
      action.run();
    } else {
      roomWaiters.add(action);
    }
  }

  private void tellRoom() {
    if (!roomWaiters.isEmpty()) {
      List<Runnable> waiters = List.copyOf(roomWaiters);
      roomWaiters.clear();
      waiters.forEach(Runnable::run);
    }
  }

  LogState state() {
    Duration oldest =
        frames.isEmpty()
            ? null
            : Duration.ofNanos(System.nanoTime() - frames.firstEntry().getValue().since);
    return new LogState(frames.size(), held, isSealed, oldest);
  }

  void seal() {
    isSealed = true;
    tellRoom();
  }

  /** Removes all frames, and wakes those that wait: the log is deleted. */
  void clear() {
    if (isStored) {
      frames.keySet().forEach(hub.store()::delete);
    }
    attempts.clear();
    frames.values().forEach(frame -> hub.dues().cancel(frame.lease));
    frames.clear();
    ready.clear();
    held = 0;
    consumers.forEach(each -> each.held.clear());
    isSealed = true;
    tellRoom();
  }

  // Taps.

  Consumer consumer(Hub.Link link, long tap, int window) {
    Consumer consumer = new Consumer(link, tap, window);
    consumers.add(consumer);
    handOut();
    return consumer;
  }

  private void handOut() {
    while (!ready.isEmpty()) {
      Consumer consumer = nextWithRoom();
      if (consumer == null) {
        return;
      }
      consumer.hand(ready.pollFirstEntry().getValue());
    }
  }

  private @Nullable Consumer nextWithRoom() {
    for (int i = 0; i < consumers.size(); i++) {
      Consumer consumer = consumers.get((next + i) % consumers.size());
      if (consumer.held.size() + consumer.lost < consumer.window) {
        next = (next + i + 1) % consumers.size();
        return consumer;
      }
    }
    return null;
  }

  private Frame heldAs(long sequence, long hold) {
    Frame frame = frames.get(sequence);
    if (frame == null || frame.hold != hold || frame.holder == null) {
      throw hub.refusal("frame " + sequence + " of log " + name + " is not held any more");
    }
    return frame;
  }

  private void release(Frame frame) {
    hub.dues().cancel(frame.lease);
    frame.lease = null;
    Consumer holder = frame.holder;
    if (holder != null) {
      holder.held.remove(frame.sequence);
      frame.holder = null;
      held--;
    }
  }

  void ack(long sequence, long hold) {
    Frame frame = heldAs(sequence, hold);
    release(frame);
    frames.remove(sequence);
    if (isStored) {
      if (ids.containsKey(frame.id)) {
        hub.rememberAcked(number, frame.id);
      }
      hub.store().delete(sequence);
    }
    attempts.forget(sequence);
    tellRoom();
    handOut();
  }

  void giveBack(long sequence, long hold, long delayNanos) {
    Frame frame = heldAs(sequence, hold);
    release(frame);
    if (delayNanos <= 0) {
      ready.put(sequence, frame);
    } else {
      Due _ =
          hub.dues()
              .add(
                  delayNanos,
                  () -> {
                    if (frames.containsKey(sequence)) {
                      ready.put(sequence, frame);
                      handOut();
                    }
                  });
    }
    handOut();
  }

  void renew(long sequence, long hold) {
    Frame frame = heldAs(sequence, hold);
    hub.dues().cancel(frame.lease);
    lease(frame);
  }

  private void lease(Frame frame) {
    frame.lease = hub.dues().add(spec.lease().toNanos(), () -> leaseEnded(frame));
  }

  private void leaseEnded(Frame frame) {
    Consumer holder = frame.holder;
    if (holder != null) {
      holder.lost++;
      holder.link.send(new Packet(Op.LOST, 0).add(holder.tap).add(frame.sequence).add(frame.hold));
    }
    release(frame);
    ready.put(frame.sequence, frame);
    handOut();
  }

  /** What a tap of a node is for the log. */
  final class Consumer {
    private final Hub.Link link;
    private final long tap;
    private final int window;
    private final Map<Long, Frame> held = new LinkedHashMap<>();

    /** Frames whose lease has ended without the node knowing it. */
    private int lost;

    private Consumer(Hub.Link link, long tap, int window) {
      this.link = link;
      this.tap = tap;
      this.window = window;
    }

    private void hand(Frame frame) {
      int attempt = attempts.next(frame.sequence);
      hub.handsOut(attempts);
      frame.hold = hub.store().nextId();
      frame.holder = this;
      held.put(frame.sequence, frame);
      HubLog.this.held++;
      lease(frame);
      link.send(
          new Packet(Op.HAND, 0, frame.bytes.length)
              .add(tap)
              .add(frame.sequence)
              .add(frame.hold)
              .add(attempt)
              .add(frame.bytes));
    }

    /** The node knows of a frame that it has lost. */
    void credit() {
      if (lost > 0) {
        lost--;
        handOut();
      }
    }

    /** Gives back all frames. */
    void close() {
      consumers.remove(this);
      next = 0;
      for (Frame frame : List.copyOf(held.values())) {
        release(frame);
        ready.put(frame.sequence, frame);
      }
      handOut();
    }
  }
}
