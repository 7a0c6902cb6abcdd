package io.heddle.cluster;

import io.heddle.Chan;
import io.heddle.ClosedChanException;
import io.heddle.Mutex;
import io.heddle.Select;
import io.heddle.Timer;
import io.heddle.cluster.Frame.FrameException;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.Tap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a channel on one node: takes frames from the engine, renews their leases,
 * and pumps their items into a local channel of deliveries.
 *
 * <p>The file is long because the states of a frame, and all that moves one from state to state,
 * share one lock.
 */
final class Inbox<T> {
  /*
   * From the engine's thread (take) a frame goes into `leases`, which renews it, and into
   * `incoming`. The pump, a goroutine, unpacks it and sends its items to `deliveries`. It waits
   * there while nothing receives; the engine hands out no more than `window` frames.
   *
   * A stale delivery may be in `deliveries`. Receivers skip it, and purge drops it if nothing
   * else was held. A delivery that is not stale must not be taken out and put back, because that
   * would break the order among first deliveries.
   *
   * `lock` guards `tap`, `isDraining` and `state`.
   */
  private static final Duration FIRST_LOOK = Duration.ofMillis(5);
  private static final Duration LAST_LOOK = Duration.ofMillis(100);

  /** How long an item waits whose dead letter could not be stored. */
  private static final Duration UNBURIED_PAUSE = Duration.ofSeconds(30);

  private enum State {
    OPEN,
    /** The channel was closed for all processes, and everything in it was settled. */
    DRAINED,
    /** This node does not receive any more. */
    LEFT
  }

  /** Where dead letters go. */
  @FunctionalInterface
  interface Graveyard {
    void send(DeadLetter letter) throws InterruptedException;
  }

  private final Node node;
  private final String name;
  private final String label;
  private final Log log;
  private final Codec<T> codec;
  private final int attempts;
  private final long leaseNanos;
  private final Graveyard graveyard;
  private final Duration pauseOfRefusal;
  private final Incoming incoming;
  private final Chan<Delivery<T>> deliveries;
  private final Chan<Void> left = Chan.external("end of a receiver", 0);
  private final Mutex lock = new Mutex();
  private final Leases leases;
  private final LongAdder received = new LongAdder();
  private final LongAdder again = new LongAdder();
  private final LongAdder acks = new LongAdder();
  private final LongAdder buried = new LongAdder();
  private @Nullable Tap tap;
  private boolean isDraining;
  private volatile State state = State.OPEN;

  Inbox(
      Node node,
      String name,
      Log log,
      Codec<T> codec,
      int window,
      int attempts,
      long leaseNanos,
      Graveyard graveyard) {
    this.node = node;
    this.name = name;
    this.label = "remote " + name;
    this.log = log;
    this.codec = codec;
    this.attempts = attempts;
    this.leaseNanos = leaseNanos;
    this.graveyard = graveyard;
    this.pauseOfRefusal = Duration.ofNanos(leaseNanos / 3);
    this.incoming = new Incoming(label, 2 * window, this::dropIfStale);
    this.deliveries = Chan.external(label, window);
    this.leases = new Leases(label, leaseNanos, this::purge);
  }

  String label() {
    return label;
  }

  Chan<Delivery<T>> deliveries() {
    return deliveries;
  }

  /** Begins to receive. */
  void open(int window) throws InterruptedException {
    Tap made = node.repeat("channel " + name, _ -> log.tap(window, this::take));
    var _ = node.go("pump of " + label, this::pump);
    lock.lock();
    try {
      tap = made;
    } finally {
      lock.unlock();
    }
    if (state != State.OPEN) {
      made.close();
    }
  }

  /** Receives the next delivery that is not lost; null if there will be none. */
  @Nullable Delivery<T> receive() throws InterruptedException {
    Delivery<T> next = deliveries.receive();
    while (next != null && next.isStale()) {
      next.close();
      next = deliveries.receive();
    }
    return next;
  }

  /** Returns {@code first}, or the first after it that is here and not lost; null if none is. */
  @Nullable Delivery<T> skipLost(Delivery<T> first) {
    Delivery<T> next = first;
    while (next != null && next.isStale()) {
      next.close();
      next = deliveries.tryReceive();
    }
    return next;
  }

  boolean isDrained() {
    return state == State.DRAINED;
  }

  // From the engine.

  private void take(Handed frame) {
    Held one = new Held(frame, leaseNanos, node.clock());
    Held old;
    boolean isTaken;
    lock.lock();
    try {
      old = leases.add(one); // first, because the pump may settle it at once
      isTaken = state == State.OPEN && incoming.add(one);
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.lose(); // the engine has handed it out again, so its lease has ended there
    }
    if (!isTaken && leases.remove(one)) {
      var _ = frame.giveBack(state == State.OPEN ? pauseOfRefusal : Duration.ZERO);
    }
  }

  private boolean dropIfStale(Held one) {
    boolean isStale = one.isStale();
    if (isStale) {
      drop(one);
    }
    return isStale;
  }

  void drop(Held stale) {
    leases.drop(stale);
  }

  /** Drops what waits here, all of which is lost, unless it has just come: that is given back. */
  private void purge() {
    Delivery<T> next = deliveries.tryReceive();
    while (next != null) {
      next.returnUnseen();
      next = deliveries.tryReceive();
    }
  }

  void returnUnseen(Held from) {
    if (leases.remove(from)) {
      boolean isHeld = !from.isStale();
      from.lose();
      if (isHeld) {
        var _ = from.frame().giveBack(Duration.ZERO);
      }
    }
  }

  // The pump.

  private void pump() throws InterruptedException {
    try {
      for (Held next = incoming.next(); next != null; next = incoming.next()) {
        if (!dropIfStale(next)) {
          unpack(next);
        }
      }
    } catch (ClosedChanException e) {
      // This node has left, or the channel is drained.
    }
  }

  private void unpack(Held next) throws InterruptedException {
    Handed handed = next.frame();
    Frame frame;
    try {
      frame = Frame.decode(handed.frame());
    } catch (FrameException e) {
      String id = "frame-" + handed.sequence();
      buryLater(
          next,
          new DeadLetter(
              name,
              id,
              "not a frame: " + e.getMessage(),
              handed.attempt(),
              "",
              node.id(),
              "",
              handed.frame(),
              null));
      return;
    }
    next.setItems(frame.items().size());
    long sequence = frame.first();
    for (Frame.Item item : frame.items()) {
      deliver(next, frame, item, frame.sender() + "." + sequence++);
    }
  }

  private void deliver(Held from, Frame frame, Frame.Item item, String id)
      throws InterruptedException {
    int attempt = from.frame().attempt();
    String refusal = null;
    T value = null;
    if (attempt > attempts) {
      refusal = "delivered " + (attempt - 1) + " times and not acknowledged";
    } else if (!codec.accepts(frame.codec())) {
      refusal = "written by codec " + frame.codec() + ", read by " + codec.type();
    } else {
      try {
        value = codec.decode(item.bytes());
      } catch (RuntimeException e) {
        refusal = "cannot be decoded: " + e.getMessage();
      }
    }
    received.increment();
    if (attempt > 1) {
      again.increment();
      ClusterEvents.redelivered(name, id, attempt);
    }
    if (refusal != null || value == null) {
      String reason = refusal == null ? "cannot be decoded: null" : refusal;
      buryLater(from, letter(id, reason, attempt - 1, frame.sender(), item, frame.codec()));
    } else {
      deliveries.send(new Delivery<>(this, from, item, value, id, frame.sender(), attempt));
    }
  }

  // Settling.

  /**
   * Settles an item. Returns the engine's answer, or what is known without it if other items of the
   * frame are not settled.
   */
  CompletableFuture<Void> acked(Held from) {
    acks.increment();
    return from.settle() ? ackFrame(from) : CompletableFuture.allOf();
  }

  private CompletableFuture<Void> ackFrame(Held from) {
    boolean _ = leases.remove(from);
    CompletableFuture<Void> answer = from.frame().ack().toCompletableFuture();
    var _ =
        answer.whenComplete(
            (_, failure) -> {
              if (isRefusal(failure)) {
                ClusterEvents.lost(label);
              }
            });
    return answer;
  }

  /** Acknowledges an item, and waits for the engine's answer. */
  void ackedAndAwait(Held from, String id) throws InterruptedException {
    acks.increment();
    CompletableFuture<Void> answer =
        from.settle() ? ackFrame(from) : from.frame().renew().toCompletableFuture();
    node.await(answer);
    throwIfRefused(answer, id);
    if (!answer.isDone() || answer.isCompletedExceptionally()) {
      node.checkOpen("ack of " + id + " of " + label);
      throw node.failure(
          "ack of " + id + " of " + label,
          "the engine has not answered; the value may be delivered again",
          answer.isDone() ? answer.exceptionNow() : null);
    }
  }

  /** Throws if the engine has refused an acknowledgement, as far as that is known now. */
  void throwIfRefused(CompletableFuture<Void> answer, String id) {
    if (answer.isCompletedExceptionally() && isRefusal(answer.exceptionNow())) {
      throw new StaleDeliveryException(
          "ack of "
              + id
              + " of "
              + label
              + ": the engine has refused it, the value is delivered again");
    }
  }

  private boolean isRefusal(@Nullable Throwable failure) {
    Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
    return why instanceof ClusterException && !(why instanceof AwayException) && !node.isOver();
  }

  void givenBack(Held from, Delivery<T> delivery, Duration delay) {
    if (delivery.attempt() >= attempts) {
      buryLater(
          from, delivery.letter("delivered " + delivery.attempt() + " times, and given back"));
      return;
    }
    if (from.items() == 1) {
      boolean _ = leases.remove(from);
      from.lose();
      var _ = from.frame().giveBack(delay);
    } else {
      Timer _ = Timer.schedule(delay, () -> deliverAgain(from, delivery.again()));
    }
  }

  /** Delivers an item of a frame again, which this node goes on to hold because of the others. */
  private void deliverAgain(Held from, Delivery<T> delivery) {
    try {
      if (!from.isStale()) {
        again.increment();
        deliveries.send(delivery);
      }
    } catch (InterruptedException | ClosedChanException e) {
      // The node has left, and given back the frame.
    }
  }

  void bury(DeadLetter letter) throws InterruptedException {
    graveyard.send(letter);
    buried.increment();
    ClusterEvents.buried(letter);
  }

  /**
   * Buries an item in a goroutine of its own, and then acknowledges it. It stays held meanwhile.
   */
  private void buryLater(Held from, DeadLetter letter) {
    var _ =
        node.go(
            "dead letter of " + label,
            () -> {
              try {
                bury(letter);
              } catch (ClusterException | ClosedChanException e) {
                unburied(from, letter);
                return;
              }
              if (!from.isStale()) {
                var _ = acked(from);
              }
            });
  }

  /**
   * The node has ended, or the channel of dead letters does not take the letter: tries it later.
   */
  private void unburied(Held from, DeadLetter letter) {
    if (from.isStale()) {
      drop(from);
    } else if (from.items() == 1) {
      boolean _ = leases.remove(from);
      from.lose();
      var _ = from.frame().giveBack(UNBURIED_PAUSE);
    } else {
      Timer _ = Timer.schedule(UNBURIED_PAUSE, () -> buryLater(from, letter));
    }
  }

  DeadLetter letter(String id, String reason, int attempt, String sender, Frame.Item item) {
    return letter(id, reason, attempt, sender, item, codec.type());
  }

  private DeadLetter letter(
      String id, String reason, int attempt, String sender, Frame.Item item, String codecType) {
    return new DeadLetter(
        name, id, reason, attempt, sender, node.id(), codecType, item.bytes(), item.trace());
  }

  // The end.

  /** Learns that the channel was closed for all: ends when all items are settled. */
  void drain() {
    lock.lock();
    try {
      if (state != State.OPEN || isDraining) {
        return;
      }
      isDraining = true;
    } finally {
      lock.unlock();
    }
    var _ = node.go("end of " + label, this::awaitDrained);
  }

  private void awaitDrained() throws InterruptedException {
    Duration pause = FIRST_LOOK;
    while (state == State.OPEN && !isEmptyForEver()) {
      Select.select(Select.recv(left), Select.after(pause));
      pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
    }
    end(State.DRAINED);
  }

  private boolean isEmptyForEver() throws InterruptedException {
    try {
      log.seal(); // the closing node may have died before it could
      LogState now = log.state();
      return now.isSealed() && now.stored() == 0;
    } catch (ClusterException e) {
      return false; // the engine is away, or this node has ended
    }
  }

  /** Stops to receive: what this node holds is given back. */
  void leave() {
    end(State.LEFT);
  }

  private void end(State how) {
    Tap ended;
    lock.lock();
    try {
      if (state != State.OPEN) {
        return;
      }
      state = how;
      ended = tap;
    } finally {
      lock.unlock();
    }
    left.close();
    incoming.close();
    deliveries.close();
    leases.loseAll();
    if (ended != null) {
      ended.close();
    }
  }

  long received() {
    return received.sum();
  }

  long again() {
    return again.sum();
  }

  long acks() {
    return acks.sum();
  }

  long buried() {
    return buried.sum();
  }

  int holding() {
    return leases.size();
  }
}
