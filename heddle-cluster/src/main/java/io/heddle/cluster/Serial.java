package io.heddle.cluster;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs events one at a time, in the order in which they were added, without a lock: the thread that
 * finds none running runs its own, and those that others add meanwhile.
 *
 * <p>Each event <i>happens-before</i> the next.
 */
final class Serial {
  /*
   * added counts the events that were added and not accounted for. The thread that raises it from 0
   * runs events. When it finds no more, it subtracts what it has accounted for; if the rest is not
   * 0, another thread has added an event after the queue was found empty, and it goes on. Adding to
   * the queue precedes the increment, so an event that is counted is in the queue.
   */
  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
  private final AtomicInteger added = new AtomicInteger();
  private final Runnable afterwards;

  /**
   * Makes a queue of events.
   *
   * @param afterwards runs as an event whenever no more events are there
   */
  Serial(Runnable afterwards) {
    this.afterwards = afterwards;
  }

  /** Runs {@code event}, or leaves it to the thread that runs events now. Does not wait. */
  void run(Runnable event) {
    events.add(event);
    if (added.getAndIncrement() != 0) {
      return;
    }
    Throwable failure = null;
    int seen = 1;
    do {
      for (Runnable next = events.poll(); next != null; next = events.poll()) {
        failure = firstOf(failure, thrownBy(next));
      }
      failure = firstOf(failure, thrownBy(afterwards));
      seen = added.addAndGet(-seen);
    } while (seen != 0);
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** A failed event must not keep the others from running. */
  private static @Nullable Throwable thrownBy(Runnable event) {
    try {
      event.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  private static @Nullable Throwable firstOf(@Nullable Throwable a, @Nullable Throwable b) {
    return a == null ? b : a;
  }
}
