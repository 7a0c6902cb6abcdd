package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Timer;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.PublishResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a channel on one node. Packs what waits into the next frame while some frames
 * are under way: no timer, no added delay.
 */
final class Outbox {
  /*
   * All fields are touched in events of `events` only, which run one at a time. So a frame is
   * assembled and published in one critical section, and frames are published in the order of their
   * sequences.
   *
   * A unit is in one of: queue (added), a shipment under way, a shipment that was refused by a full
   * log, leftover (of a refused shipment that was taken apart), ended.
   *
   * A shipment is published again with the same id and the same bytes, after a refusal and after
   * the loss of an answer, until it is stored. Only if one of its senders gives up while it is
   * refused, it is taken apart, because the value of that sender must not be stored any more. If an
   * answer was lost, it may be stored already, and stays whole.
   *
   * Order: a sender has one unit at a time, and waits for it. So it does not matter in which order
   * units under way at the same time are stored.
   */
  private static final int MAX_ITEMS_UNDER_WAY = 256;
  private static final int MIN_UNDER_WAY = 4;
  private static final int MAX_UNDER_WAY = 64;
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final int MAX_DOUBLINGS = 6;

  private final Node node;
  private final Log log;
  private final String label;
  private final String codec;
  private final int batch;
  private final int maxFrameBytes;
  private final int maxUnderWay;
  private final SendSlots slots;
  private final Serial events = new Serial(this::publishWhatWaits);

  private final Queue<Unit> queue = new ArrayDeque<>();
  private final TreeMap<Long, Unit> leftover = new TreeMap<>();
  private final TreeMap<Long, Shipment> refused = new TreeMap<>();
  private final Set<Shipment> underWay = new LinkedHashSet<>();
  private long sequence;
  private boolean isFull;
  private boolean waitsForRoom;

  /**
   * How many shipments may be under way now. After a refusal by a full log these are few, because a
   * place that gets free is for one of them; each that is stored allows one more.
   */
  private int window;

  private boolean isClosed;
  private boolean isOver;
  private final LongAdder stored = new LongAdder();

  Outbox(Node node, Log log, String label, String codec, int batch, int maxFrameBytes) {
    this.node = node;
    this.log = log;
    this.label = label;
    this.codec = codec;
    this.batch = batch;
    this.maxFrameBytes = maxFrameBytes;
    this.maxUnderWay = Math.clamp(MAX_ITEMS_UNDER_WAY / batch, MIN_UNDER_WAY, MAX_UNDER_WAY);
    this.window = maxUnderWay;
    this.slots = new SendSlots(label);
  }

  /** A frame with its units. */
  private static final class Shipment {
    final List<Unit> units;
    final byte[] frame;
    final String id;
    final long first;
    final int items;

    /** Whether an answer was lost: it may be stored. */
    boolean isUnknown;

    int tries;

    Shipment(List<Unit> units, byte[] frame, String id, long first, int items) {
      this.units = units;
      this.frame = frame;
      this.id = id;
      this.first = first;
      this.items = items;
    }

    boolean isAbandoned() {
      return units.stream().allMatch(Unit::hasEnded);
    }
  }

  /** Sends a unit and waits for the result, or until the caller's context ends. */
  Unit.Result send(Unit unit) throws InterruptedException {
    events.run(() -> add(unit));
    boolean isInterrupted = false;
    try {
      if (unit.await(Context.current())) {
        return unit.result();
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    events.run(() -> giveUp(unit));
    unit.awaitUninterruptibly();
    Unit.Result result = unit.result();
    if (isInterrupted && result != Unit.Result.WITHDRAWN && result != Unit.Result.UNKNOWN) {
      Thread.currentThread().interrupt();
      return result;
    }
    if (isInterrupted) {
      throw new InterruptedException(
          result == Unit.Result.UNKNOWN
              ? label + ": interrupted; the engine has not answered, the value may be stored"
              : label + ": interrupted; the value was not sent");
    }
    return result;
  }

  /** Learns that the channel was closed for all processes. Does not wait. */
  void close() {
    events.run(this::nowClosed);
  }

  /** Ends all sends, because the node ends. Does not wait. */
  void end() {
    events.run(
        () -> {
          isOver = true;
          endAll(Unit.Result.OVER);
          underWay.forEach(each -> each.units.forEach(unit -> unit.end(Unit.Result.UNKNOWN)));
          underWay.clear();
          slots.close();
        });
  }

  SendSlots slots() {
    return slots;
  }

  /** Gives back a slot that a select has taken. */
  void giveBackSlot() {
    events.run(() -> slots.giveBack(isFull));
  }

  long stored() {
    return stored.sum();
  }

  // Events.

  private void add(Unit unit) {
    if (isOver) {
      unit.end(Unit.Result.OVER);
    } else if (isClosed) {
      unit.end(Unit.Result.CLOSED);
    } else if (isFull && !unit.waitsForRoom()) {
      unit.end(Unit.Result.FULL);
    } else {
      queue.add(unit);
    }
  }

  private void giveUp(Unit unit) {
    if (unit.isUnderWay()) {
      takeApart(unit);
    }
    unit.end(unit.isUnderWay() ? Unit.Result.UNKNOWN : Unit.Result.WITHDRAWN);
  }

  /** Takes apart the shipment of {@code unit}, if it was refused and is certainly not stored. */
  private void takeApart(Unit unit) {
    for (Shipment each : refused.values()) {
      if (!each.isUnknown && each.units.contains(unit)) {
        refused.remove(each.first);
        long place = each.first;
        for (Unit part : each.units) {
          part.setUnderWay(false);
          leftover.put(place++, part);
        }
        return;
      }
    }
  }

  private void publishWhatWaits() {
    while (!isFull && !isClosed && !isOver && underWay.size() < window) {
      var first = refused.pollFirstEntry();
      Shipment next = first == null ? assemble() : first.getValue();
      if (next == null) {
        return;
      }
      if (!next.isAbandoned()) {
        publish(next);
      }
    }
  }

  private @Nullable Shipment assemble() {
    List<Unit> units = new ArrayList<>();
    List<Frame.Item> items = new ArrayList<>();
    int bytes = Frame.HEADER;
    for (Unit next = peek(); next != null; next = peek()) {
      boolean fits =
          items.size() + next.items().size() <= batch && bytes + next.bytes() <= maxFrameBytes;
      boolean isAlone = !next.waitsForRoom();
      if ((!fits || isAlone) && !units.isEmpty()) {
        break;
      }
      remove();
      next.setUnderWay(true);
      units.add(next);
      items.addAll(next.items());
      bytes += next.bytes();
      if (isAlone) {
        break;
      }
    }
    if (units.isEmpty()) {
      return null;
    }
    Frame frame = new Frame(node.id(), sequence, codec, items);
    String id = node.id() + "." + Long.toString(sequence, Character.MAX_RADIX);
    sequence += items.size();
    return new Shipment(units, frame.encode(), id, frame.first(), items.size());
  }

  /** Returns the unit to send next; null if none waits. */
  private @Nullable Unit peek() {
    while (!leftover.isEmpty() && leftover.firstEntry().getValue().hasEnded()) {
      var _ = leftover.pollFirstEntry();
    }
    if (!leftover.isEmpty()) {
      return leftover.firstEntry().getValue();
    }
    Unit next = queue.peek();
    while (next != null && next.hasEnded()) {
      queue.remove();
      next = queue.peek();
    }
    return next;
  }

  private void remove() {
    if (leftover.pollFirstEntry() == null) {
      queue.remove();
    }
  }

  private void publish(Shipment shipment) {
    underWay.add(shipment);
    CompletionStage<PublishResult> answer;
    try {
      answer = log.publish(shipment.frame, shipment.id);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    CompletionStage<PublishResult> _ =
        answer.whenComplete((result, _) -> events.run(() -> answered(shipment, result)));
  }

  private void answered(Shipment shipment, @Nullable PublishResult result) {
    if (isOver) {
      return;
    }
    if (result == null) {
      shipment.isUnknown = true;
      publishLater(shipment);
      return;
    }
    underWay.remove(shipment);
    switch (result) {
      case STORED -> {
        stored.add(shipment.items);
        window = Math.min(maxUnderWay, window + 1);
        shipment.units.forEach(unit -> unit.end(Unit.Result.STORED));
      }
      case SEALED -> {
        Unit.Result how = shipment.isUnknown ? Unit.Result.UNKNOWN : Unit.Result.CLOSED;
        shipment.units.forEach(unit -> unit.end(how));
        nowClosed();
      }
      case FULL -> nowFull(shipment);
    }
  }

  private void publishLater(Shipment shipment) {
    long pause = FIRST_PAUSE_MILLIS << Math.min(shipment.tries++, MAX_DOUBLINGS);
    Timer _ =
        Timer.schedule(Duration.ofMillis(pause), () -> events.run(() -> publishAgain(shipment)));
  }

  private void publishAgain(Shipment shipment) {
    underWay.remove(shipment);
    if (!isOver && !shipment.isAbandoned()) {
      publish(shipment);
    }
  }

  private void nowFull(Shipment shipment) {
    isFull = true;
    window = MIN_UNDER_WAY;
    slots.hide();
    if (shipment.units.getFirst().waitsForRoom()) {
      refused.put(shipment.first, shipment);
    } else {
      Unit.Result how = shipment.isUnknown ? Unit.Result.UNKNOWN : Unit.Result.FULL;
      shipment.units.forEach(unit -> unit.end(how));
    }
    if (!waitsForRoom) {
      waitsForRoom = true;
      CompletionStage<Void> _ =
          log.room().thenRun(() -> events.run(this::nowRoom)); // fails only when the engine ends
    }
  }

  private void nowRoom() {
    waitsForRoom = false;
    isFull = false;
    if (!isClosed && !isOver) {
      slots.show();
    }
  }

  private void nowClosed() {
    isClosed = true;
    endAll(Unit.Result.CLOSED);
    slots.close();
  }

  /** Ends the units that are not under way; those that are may be stored. */
  private void endAll(Unit.Result how) {
    queue.forEach(unit -> unit.end(how));
    queue.clear();
    leftover.values().forEach(unit -> unit.end(how));
    leftover.clear();
    for (Shipment each : refused.values()) {
      each.units.forEach(unit -> unit.end(each.isUnknown ? Unit.Result.UNKNOWN : how));
    }
    refused.clear();
  }
}
