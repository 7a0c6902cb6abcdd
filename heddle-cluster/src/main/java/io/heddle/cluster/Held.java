package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.cluster.spi.Handed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A frame that this node holds, with its lease. The engine forgets none of its items until all of
 * them are settled.
 *
 * <p>The lease by this node's clocks ends before that of the engine: it is counted from when the
 * last renewal that the engine has confirmed was sent.
 */
final class Held {
  private final Handed frame;
  private final long leaseNanos;
  private final Supplier<LeaseTime> clock;

  // The lease ends `nanos` after `since`.
  private LeaseTime since;
  private long nanos;

  private boolean isLost;
  private int items = 1;
  private int open = 1;
  private final List<Context.Cancelable> contexts = new ArrayList<>();

  Held(Handed frame, long leaseNanos, Supplier<LeaseTime> clock) {
    this.frame = frame;
    this.leaseNanos = leaseNanos;
    this.clock = clock;
    this.since = clock.get();
    // The frame was under way for a while that this node does not know.
    this.nanos = leaseNanos / 3 * 2;
  }

  Handed frame() {
    return frame;
  }

  /** Sets how many items are in the frame, which are to be settled. */
  synchronized void setItems(int n) {
    items = n;
    open = n;
  }

  synchronized int items() {
    return items;
  }

  /** Whether the engine may have given the frame to another holder. */
  synchronized boolean isStale() {
    if (!isLost && since.until(clock.get()) > nanos) {
      isLost = true;
    }
    return isLost;
  }

  /** Settles one item. Returns whether it was the last. */
  synchronized boolean settle() {
    return --open == 0;
  }

  /** Gives up the frame: it was handed out again, or is given back. */
  void lose() {
    List<Context.Cancelable> ended;
    synchronized (this) {
      isLost = true;
      ended = List.copyOf(contexts);
      contexts.clear();
    }
    ended.forEach(Context.Cancelable::cancel);
  }

  /** Ends {@code context} when the frame is lost. */
  void watch(Context.Cancelable context) {
    synchronized (this) {
      if (!isLost) {
        contexts.add(context);
        return;
      }
    }
    context.cancel();
  }

  void unwatch(Context.Cancelable context) {
    synchronized (this) {
      contexts.remove(context);
    }
    context.cancel();
  }

  /** Asks the engine for another lease. Does not wait. */
  void renew() {
    LeaseTime asked = clock.get();
    var _ =
        frame
            .renew()
            .whenComplete(
                (_, refused) -> {
                  if (refused == null) {
                    renewed(asked);
                  }
                });
  }

  private synchronized void renewed(LeaseTime asked) {
    if (asked.nanos() + leaseNanos - (since.nanos() + nanos) > 0) {
      since = asked;
      nanos = leaseNanos;
    }
  }
}
