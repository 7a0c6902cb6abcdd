package io.heddle.internal.wait;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Who waits, first come first: a list from which each can leave at any time in O(1). Guarded by a lock of its user. */
public final class WaitQueue {
  /*
   * Ordering: first is written under the lock, with release, and read without it by isEmpty, with acquire, as a hint:
   * whether it was empty at one moment during the call.
   *
   * Checked by: ChanLincheckTest.
   */
  private static final VarHandle FIRST =
      Handles.field(MethodHandles.lookup(), "first", WaitNode.class);

  private @Nullable WaitNode first;
  private @Nullable WaitNode last;

  /** Without the lock: whether nobody waited at one moment during the call. */
  public boolean isEmpty() {
    return FIRST.getAcquire(this) == null;
  }

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

  /** The same, before all others. */
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

  /** Whether it was here. */
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

  /** The one that came first, which is not here any more; null if there is none. */
  public @Nullable WaitNode removeFirst() {
    WaitNode place = first;
    if (place != null) {
      remove(place);
    }
    return place;
  }

  /** The one that came first, which stays. */
  public @Nullable WaitNode peek() {
    return first;
  }

  /** How many there are, in as many steps. */
  public int size() {
    int n = 0;
    for (WaitNode place = first; place != null; place = place.next) {
      n++;
    }
    return n;
  }

  /**
   * Ends the wait of the first whose wait has not ended otherwise, with {@code item}; null if there is none. Nobody is
   * taken from here before that is decided, since {@link #isEmpty} would say that nobody waits.
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
