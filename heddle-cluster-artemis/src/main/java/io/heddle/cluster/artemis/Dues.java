package io.heddle.cluster.artemis;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Actions that the hub runs later. Belongs to the hub's thread. */
final class Dues {
  /** So that times do not overflow. */
  private static final long MAX_NANOS = 1L << 60;

  private final PriorityQueue<Due> dues = new PriorityQueue<>();
  private long count;
  private int cancelled;

  /** An action with its time. */
  static final class Due implements Comparable<Due> {
    private final long when;
    private final long order;
    private @Nullable Runnable action;

    private Due(long when, long order, Runnable action) {
      this.when = when;
      this.order = order;
      this.action = action;
    }

    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(when - other.when, 0);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }

  /** Runs {@code action} after {@code nanos}; in the order of adding if the times are equal. */
  Due add(long nanos, Runnable action) {
    Due due = new Due(System.nanoTime() + Math.clamp(nanos, 0, MAX_NANOS), count++, action);
    dues.add(due);
    return due;
  }

  /**
   * Forgets an action. Most leases are renewed: so the queue is cleaned in one go, now and then.
   */
  void cancel(@Nullable Due due) {
    if (due != null && due.action != null) {
      due.action = null;
      if (++cancelled > 1_000 && cancelled > dues.size() / 2) {
        dues.removeIf(each -> each.action == null);
        cancelled = 0;
      }
    }
  }

  /** Runs what is due. */
  void run() {
    long now = System.nanoTime();
    for (Due first = dues.peek(); first != null && first.when - now <= 0; first = dues.peek()) {
      dues.remove();
      Runnable action = first.action;
      first.action = null;
      if (action != null) {
        action.run();
      } else {
        cancelled--;
      }
    }
  }

  /** Returns how long nothing is due, at most {@code most}. */
  long nanosToNext(long most) {
    Due first = dues.peek();
    return first == null ? most : Math.clamp(first.when - System.nanoTime(), 0, most);
  }
}
