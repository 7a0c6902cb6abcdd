package io.heddle.cluster;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Select;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items that one sender sends together, and its wait for the result. They are never split between
 * two frames, because frames that are under way at the same time may be stored in another order.
 */
final class Unit {
  /** How a send ended. */
  enum Result {
    STORED,
    FULL,
    CLOSED,
    /** The sender has given up, and nothing was stored. */
    WITHDRAWN,
    /** The sender has given up, or the node has ended, before the engine answered. */
    UNKNOWN,
    /** The node has ended, and nothing was stored. */
    OVER
  }

  private final List<Frame.Item> items;
  private final boolean waitsForRoom;
  private final int bytes;

  /**
   * Full until the result is there: the sender waits to send to it, so that its wait reads
   * {@code chan send}.
   */
  private final Chan<Boolean> confirmation;

  // Written in events of the outbox, before the confirmation; read after it.
  private @Nullable Result result;
  private boolean isUnderWay;

  Unit(String label, List<Frame.Item> items, boolean waitsForRoom) {
    this.items = items;
    this.waitsForRoom = waitsForRoom;
    this.bytes = items.stream().mapToInt(item -> item.bytes().length + Frame.ITEM_HEADER).sum();
    this.confirmation = Chan.external(label, 1);
    boolean _ = confirmation.trySend(true);
  }

  List<Frame.Item> items() {
    return items;
  }

  int bytes() {
    return bytes;
  }

  boolean waitsForRoom() {
    return waitsForRoom;
  }

  // For events of the outbox.

  boolean hasEnded() {
    return result != null;
  }

  boolean isUnderWay() {
    return isUnderWay;
  }

  void setUnderWay(boolean is) {
    isUnderWay = is;
  }

  /** Ends the wait of the sender. Only the first call counts. */
  void end(Result how) {
    if (result == null) {
      result = how;
      Boolean _ = confirmation.tryReceive();
    }
  }

  // For the sender.

  /**
   * Waits for the result.
   *
   * @return false if {@code context} ended before
   */
  boolean await(Context context) throws InterruptedException {
    if (context == Context.background()) {
      confirmation.send(true);
      return true;
    }
    Case<?> ended = Select.recv(context.done());
    return Select.select(Select.send(confirmation, true), ended) != ended;
  }

  /** Waits for the result, which is about to come. */
  void awaitUninterruptibly() {
    boolean interrupted = false;
    while (true) {
      try {
        confirmation.send(true);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the result, after the wait. */
  Result result() {
    return result == null ? Result.UNKNOWN : result;
  }
}
