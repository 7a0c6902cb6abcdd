package io.heddle.internal.admit;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets at most a fixed number of goroutines run at a time. Each of them has a place (a permit) at
 * the gate from its start to its end.
 *
 * <p>A thread calls {@link #enter} or {@link #tryEnter} before it starts a goroutine. After the
 * start it calls {@link #started}, and the goroutine calls {@link #leave} when it has ended. If the
 * start fails, the thread calls {@link #withdraw}.
 */
public final class Gate {
  /*
   * The semaphore is the JDK's, because leave is also called by an M in scheduler code: a release
   * of that semaphore takes no lock and never parks. An M must not wait for a lock that an
   * unmounted goroutine could hold.
   *
   * Checked by: LimitTest, AdoptedLimitTest.
   */

  /** What {@link #enter} does if the gate is still full after the wait. */
  public enum WhenFull {
    REJECT,
    RUN_IN_CALLER
  }

  /** A wait without a time limit. */
  public static final long FOREVER = Long.MAX_VALUE;

  private final GateCounts counts;
  private final int max;
  private final WhenFull whenFull;
  private final long waitNanos;
  private final Semaphore places;
  private final AtomicBoolean closed = new AtomicBoolean();

  Gate(GateCounts counts, int max, WhenFull whenFull, long waitNanos, Semaphore places) {
    this.counts = counts;
    this.max = max;
    this.whenFull = whenFull;
    this.waitNanos = waitNanos;
    this.places = places;
    counts.max.addAndGet(max);
  }

  /**
   * Returns a gate that shares the places of this one, and whose counts belong to {@code gates}.
   */
  public Gate sharedWith(Gates gates) {
    return new Gate(gates.countsOf(counts.name()), max, whenFull, waitNanos, places);
  }

  /**
   * Takes a place if that needs no waiting; returns whether this call took a place. Does not
   * overtake threads that wait for a place.
   */
  public boolean tryEnter() {
    if (places.hasQueuedThreads() || !places.tryAcquire()) {
      return false;
    }
    counts.running.incrementAndGet();
    return true;
  }

  /**
   * Takes a place, after a wait if the gate is full. Returns true if the caller has a place; false
   * if the gate is full and the caller must run the task itself.
   *
   * @throws RejectedExecutionException if the gate is full and rejects tasks ({@link
   *     WhenFull#REJECT}). Also if the caller was interrupted while it waited; then its interrupt
   *     flag is set.
   */
  public boolean enter() {
    if (tryEnter() || awaitPlace()) {
      return true;
    }
    if (whenFull == WhenFull.RUN_IN_CALLER) {
      counts.inCaller.incrementAndGet();
      return false;
    }
    throw rejected("is full" + (waitNanos == 0 ? "" : " for " + waitNanos / 1_000_000 + " ms"));
  }

  /** Counts the goroutine for which the caller took a place, after its start. */
  public void started() {
    counts.admitted.incrementAndGet();
  }

  /** Gives the place back, because the goroutine could not be started. */
  public void withdraw() {
    counts.rejected.incrementAndGet();
    leave();
  }

  /**
   * Gives a place back. Any thread may call this, also an M in scheduler code, because this method
   * never parks.
   */
  public void leave() {
    counts.running.decrementAndGet();
    places.release();
  }

  /**
   * Takes this gate out of the sum of the limits ({@link GateCounts#max}). Goroutines may still
   * have places at this gate. Closing again has no effect.
   */
  public void close() {
    if (closed.compareAndSet(false, true)) {
      counts.max.addAndGet(-max);
    }
  }

  private boolean awaitPlace() {
    if (waitNanos == 0) {
      return false;
    }
    counts.waited.incrementAndGet();
    counts.waiting.incrementAndGet();
    try {
      if (waitNanos == FOREVER) {
        places.acquire();
      } else if (!places.tryAcquire(waitNanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw rejected("is full, and the thread was interrupted while it waited");
    } finally {
      counts.waiting.decrementAndGet();
    }
    counts.running.incrementAndGet();
    return true;
  }

  private RejectedExecutionException rejected(String why) {
    counts.rejected.incrementAndGet();
    return new RejectedExecutionException(
        "the limit " + counts.name() + " of " + max + " goroutines " + why);
  }
}
