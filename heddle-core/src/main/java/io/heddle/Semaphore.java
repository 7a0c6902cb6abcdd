package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.wait.WaitQueue;
import org.jspecify.annotations.Nullable;

/**
 * A weighted semaphore, as Go's {@code x/sync/semaphore}: the total weight acquired at any time is
 * at most its capacity.
 *
 * {@snippet :
 * Semaphore memory = new Semaphore(512);      // megabytes
 * // ...
 * memory.acquire(image.megabytes());
 * try {
 *   image.scale();
 * } finally {
 *   memory.release(image.megabytes());
 * }
 * }
 *
 * <p>First come, first served: a small request waits until earlier large ones were served, even if
 * the small one would fit. A semaphore is not owned: any thread may release what another thread
 * acquired.
 *
 * <p>Goroutines and all other threads can use a semaphore at the same time. {@link #acquire} throws
 * {@link InterruptedException} if the caller is interrupted before the call or while it waits. A
 * {@link #release} of more than is acquired throws {@link IllegalStateException}.
 *
 * <p>Memory consistency: actions before a {@link #release} <i>happen-before</i> actions after every
 * later successful {@link #acquire} or {@link #tryAcquire}.
 */
public final class Semaphore {
  /*
   * The spin lock called guard protects the field held and the queue.
   *
   * Invariants, under the guard:
   * - 0 <= held <= weight.
   * - The first request in the queue is for more than weight - held. Its waiter may have been
   *   interrupted: then the waiter is about to leave the queue.
   *
   * Checked by: SemaphoreTest.
   */
  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();

  /** The capacity. */
  private final long weight;

  /** The total weight that is acquired now. */
  private long held;

  /**
   * The scheduler of the goroutine that made this semaphore; null if no goroutine made it. The
   * deadlock detector needs it to know whether a thread that is no goroutine of that scheduler
   * could end a wait here: see {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /**
   * Makes a semaphore of which nothing is acquired.
   *
   * @param weight the capacity, 0 or more
   * @throws IllegalArgumentException if {@code weight} is negative
   */
  public Semaphore(long weight) {
    checkNotNegative("weight", weight);
    this.weight = weight;
  }

  /**
   * Acquires the weight {@code n}. Waits until it fits and all earlier requests were served.
   *
   * @param n the weight, from 0 to the capacity
   * @throws IllegalArgumentException if {@code n} is negative, or greater than the capacity (in Go
   *     such a request waits until its context is done)
   * @throws InterruptedException if the caller is interrupted before the call or while it waits;
   *     then nothing was acquired
   */
  public void acquire(long n) throws InterruptedException {
    checkNotNegative("n", n);
    if (n > weight) {
      throw new IllegalArgumentException(
          "acquire of " + n + " from a semaphore of " + weight + " would wait forever");
    }
    WaitLimit.checkInterrupt();
    if (tryAcquire(n)) {
      return;
    }
    Waiter waiter = Waiter.of(n);
    waiter.begin("semacquire", maker);
    if (!acquireOrQueue(waiter) && !waiter.await(WaitLimit.INTERRUPTIBLE)) {
      leave(waiter);
      WaitLimit.checkInterrupt();
    }
  }

  /**
   * Acquires the weight {@code n} if that needs no waiting.
   *
   * @param n the weight, 0 or more
   * @return whether it was acquired; false if it does not fit or other threads are waiting
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public boolean tryAcquire(long n) {
    checkNotNegative("n", n);
    CreatorScheduler.recordUse();
    StackHeadroom.ensure();
    guard.lock();
    try {
      return acquireLocked(n);
    } finally {
      guard.unlock();
    }
  }

  /**
   * Releases the weight {@code n}. Waiting requests that now fit are served in their order.
   *
   * @param n the weight, 0 or more
   * @throws IllegalArgumentException if {@code n} is negative
   * @throws IllegalStateException if {@code n} is more than is acquired; then nothing changes
   */
  public void release(long n) {
    checkNotNegative("n", n);
    SchedulingPoint.reached();
    StackHeadroom.ensure();
    Waiter granted;
    guard.lock();
    try {
      if (n > held) {
        throw new IllegalStateException("release of " + n + " when only " + held + " is held");
      }
      held -= n;
      granted = grant();
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(granted);
  }

  @Override
  public String toString() {
    return "Semaphore[" + held() + " of " + weight + "]";
  }

  private long held() {
    StackHeadroom.ensure();
    guard.lock();
    try {
      return held;
    } finally {
      guard.unlock();
    }
  }

  /**
   * Acquires the weight of {@code waiter} if that needs no waiting; otherwise queues
   * {@code waiter}. Returns whether it acquired the weight.
   */
  private boolean acquireOrQueue(Waiter waiter) {
    guard.lock();
    try {
      if (acquireLocked(waiter.amount)) {
        return true;
      }
      queue.add(waiter);
      return false;
    } finally {
      guard.unlock();
    }
  }

  /**
   * Acquires the weight {@code n} if it fits and no thread waits; returns whether it did. The
   * caller holds the guard.
   */
  private boolean acquireLocked(long n) {
    if (!queue.isEmpty() || n > weight - held) {
      return false;
    }
    held += n;
    return true;
  }

  /**
   * Removes {@code waiter} from the queue, after an interrupt ended its wait. If it was the first,
   * the requests after it may fit now, and then they are served.
   */
  private void leave(Waiter waiter) {
    Waiter granted;
    guard.lock();
    try {
      queue.remove(waiter);
      granted = grant();
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(granted);
  }

  /**
   * Serves the requests at the head of the queue as long as they fit. Returns a chain of their
   * waiters, which the caller must wake after it has released the guard; null if no request was
   * served. The caller holds the guard.
   */
  private @Nullable Waiter grant() {
    Waiter granted = null;
    for (Waiter first = (Waiter) queue.peek();
        first != null && first.amount <= weight - held;
        first = (Waiter) queue.peek()) {
      queue.remove(first);
      if (first.fire()) {
        held += first.amount;
        granted = first.before(granted);
      }
    }
    return granted;
  }

  private static void checkNotNegative(String what, long n) {
    if (n < 0) {
      throw new IllegalArgumentException(what + " " + n + ": allowed is 0 or more");
    }
  }
}
