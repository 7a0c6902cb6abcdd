package io.heddle.internal.wait;

import org.jspecify.annotations.Nullable;

/**
 * A place in a {@link WaitQueue}, of a thread that waits there, maybe among others.
 *
 * <p>All but the wait belong to whoever holds the lock that guards the queue, and to the thread itself while it is in no
 * queue.
 */
public class WaitNode {
  /** Which of its places this is, for a wait that has several. */
  private final int index;

  private final @Nullable WaitState wait;

  /** What is brought or taken here. Written before {@link #fire}, read by the waiter after that. */
  public @Nullable Object item;

  /** The round of the wait that this stands for. */
  private long round;

  @Nullable WaitNode next;
  @Nullable WaitNode previous;
  @Nullable WaitQueue queue;

  /** One of the places of {@code wait}. */
  public WaitNode(WaitState wait, int index) {
    this.wait = wait;
    this.index = index;
  }

  /** The only place of a wait, which it is itself. */
  WaitNode() {
    this.wait = null;
    this.index = 0;
  }

  public final WaitState owner() {
    return wait == null ? (WaitState) this : wait;
  }

  /** For the waiter: it stands for this round of its wait from now on. */
  public final void joinRound(long round) {
    this.round = round;
  }

  /** Whether its wait goes on. */
  public final boolean isOpen() {
    return owner().isOpen(round);
  }

  public final long round() {
    return round;
  }

  /** Ends the wait with this; false if something else has. */
  public final boolean fire() {
    return fire(round);
  }

  /** The same for who knows the round. */
  public final boolean fire(long round) {
    return owner().fire(round, index);
  }
}
