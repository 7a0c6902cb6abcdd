package io.heddle.internal.wait;

import org.jspecify.annotations.Nullable;

/**
 * The place of a waiting thread in one {@link WaitQueue}; Go's {@code sudog}. A select has one node
 * per channel. The wait for a single event is its own node ({@link WaitState}).
 *
 * <p>While the node is in a queue, its fields are guarded by the lock of that queue; otherwise they
 * belong to the waiter. The reference to the wait is final.
 */
public class WaitNode {
  /** The index of this node among those of its wait. */
  private final int index;

  private final @Nullable WaitState wait;

  /**
   * The item that is delivered or taken here. Written before {@link #fire}, read by the waiter
   * after it.
   */
  public @Nullable Object item;

  /** The round of the wait to which this node belongs. */
  private long round;

  @Nullable WaitNode next;
  @Nullable WaitNode previous;
  @Nullable WaitQueue queue;

  /** Makes one of the nodes of {@code wait}. */
  public WaitNode(WaitState wait, int index) {
    this.wait = wait;
    this.index = index;
  }

  /** Makes the only node of a wait, which is the wait itself. */
  WaitNode() {
    this.wait = null;
    this.index = 0;
  }

  /** Returns the wait to which this node belongs. */
  public final WaitState owner() {
    return wait == null ? (WaitState) this : wait;
  }

  /** Lets this node stand for {@code round} of its wait. Called by the waiter. */
  public final void joinRound(long round) {
    this.round = round;
  }

  /** Whether the round of the wait to which this node belongs has not ended. */
  public final boolean isOpen() {
    return owner().isOpen(round);
  }

  public final long round() {
    return round;
  }

  /** Ends the wait with this node; false if the wait has ended already. */
  public final boolean fire() {
    return fire(round);
  }

  /** Ends {@code round} of the wait with this node; false if that round has ended already. */
  public final boolean fire(long round) {
    return owner().fire(round, index);
  }
}
