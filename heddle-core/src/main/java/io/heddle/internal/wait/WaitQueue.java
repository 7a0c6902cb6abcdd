package io.heddle.internal.wait;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one channel or lock in FIFO order: a doubly linked list from which each node can
 * be removed in O(1). A runtime lock of that channel or lock guards the list: the caller must hold
 * it for every method except {@link #isEmpty}.
 */
public final class WaitQueue {
  /*
   * Ordering: the field first is written under the lock, with release. isEmpty reads it without the
   * lock, with acquire. The result of isEmpty is a hint: the queue may have changed since the read.
   *
   * Checked by: ChanLincheckTest.
   */
  private static final VarHandle FIRST =
      Handles.field(MethodHandles.lookup(), "first", WaitNode.class);

  static {
    Parking.prepare();
  }

  private @Nullable WaitNode first;
  private @Nullable WaitNode last;

  /** Whether there was no waiter at one moment during the call. Needs no lock. */
  public boolean isEmpty() {
    return FIRST.getAcquire(this) == null;
  }

  /** Adds a node, which must be in no queue, at the end. */
  public void add(WaitNode place) {
    assert place.queue == null : "a place in two queues";
    WaitNode before = last;
    place.queue = this;
    place.previous = before;
    last = place;
    if (before == null) {
      FIRST.setRelease(this, place);
    } else {
      before.next = place;
    }
  }

  /** Adds a node, which must be in no queue, before all others. */
  public void addFirst(WaitNode place) {
    assert place.queue == null : "a place in two queues";
    WaitNode after = first;
    place.queue = this;
    place.next = after;
    FIRST.setRelease(this, place);
    if (after == null) {
      last = place;
    } else {
      after.previous = place;
    }
  }

  /** Removes a node; false if it is not in this queue. */
  public boolean remove(WaitNode place) {
    if (place.queue != this) {
      return false;
    }
    WaitNode before = place.previous;
    WaitNode after = place.next;
    if (before == null) {
      FIRST.setRelease(this, after);
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    place.queue = null;
    place.previous = null;
    place.next = null;
    return true;
  }

  /** Removes and returns the first node; null if there is none. */
  public @Nullable WaitNode removeFirst() {
    WaitNode place = first;
    if (place != null) {
      remove(place);
    }
    return place;
  }

  /** Returns the first node, which stays in the queue; null if there is none. */
  public @Nullable WaitNode peek() {
    return first;
  }

  /** Counts the nodes. Takes time proportional to their number. */
  public int size() {
    int n = 0;
    for (WaitNode place = first; place != null; place = place.next) {
      n++;
    }
    return n;
  }

  /**
   * Ends the first wait in this queue that has not ended yet. Leaves {@code item} in the node of
   * that wait, removes the node and returns it. Returns null if there is no such wait.
   *
   * <p>Nodes before it, whose waits have ended in another way, are removed, too; they keep their
   * own items. A node is removed only after its wait has ended. Otherwise {@link #isEmpty} could be
   * true while a thread waits.
   */
  public @Nullable WaitNode fireFirst(@Nullable Object item) {
    for (WaitNode place = first; place != null; place = first) {
      Object its = place.item;
      place.item = item;
      boolean fired = place.fire();
      remove(place);
      if (fired) {
        return place;
      }
      place.item = its;
    }
    return null;
  }
}
