package io.heddle.internal.wait;

import org.jspecify.annotations.Nullable;

/**
 * The place of a waiting thread in one {@link WaitQueue}; Go's {@code sudog}. A select has one node
 * per channel. All nodes of a wait refer to one {@link WaitState}. In a wait for a single event,
 * the {@code WaitState} is itself the node.
 *
 * <p>A {@code WaitState} is used for many waits, one after another; each is called a <i>round</i>.
 *
 * <p>While the node is in a queue, its mutable fields are guarded by the lock of that queue.
 * Otherwise only the waiting thread uses them.
 */
public class WaitNode {
  /** The index of this node among those of its wait. */
  private final int index;

  private final @Nullable WaitState wait; // null: this node is itself the WaitState

  /**
   * The item that passes between the waiting thread and the thread that ends its wait. A waiting
   * sender leaves the item to send here; a waiting receiver finds the item received here. The
   * thread that ends the wait writes it before {@link #fire}; the waiting thread reads it after.
   */
  public @Nullable Object item;

  /** The latest round that this node has joined. */
  private long round;

  @Nullable WaitNode next;
  @Nullable WaitNode previous;
  @Nullable WaitQueue queue;

  /** Makes the node of {@code wait} that has number {@code index} among its nodes. */
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

  /** Makes this node part of {@code round} of its wait. Called by the waiting thread. */
  public final void joinRound(long round) {
    this.round = round;
  }

  /** Whether the round that this node has joined has not ended yet. */
  public final boolean isOpen() {
    return owner().isOpen(round);
  }

  public final long round() {
    return round;
  }

  /**
   * Ends the round that this node has joined, and records this node as its cause. Returns false if
   * the round has ended already. Does not unpark the waiting thread: see {@link WaitState#wakeUp}.
   */
  public final boolean fire() {
    return fire(round);
  }

  /** Like {@link #fire()}, for a round of the wait that the caller knows. */
  public final boolean fire(long round) {
    return owner().fire(round, index);
  }
}
