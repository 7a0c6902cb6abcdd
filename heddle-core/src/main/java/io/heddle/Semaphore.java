package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.wait.WaitQueue;
import org.jspecify.annotations.Nullable;

/**
 * A weighted semaphore, as in Go's {@code x/sync}: what is acquired at the same time weighs no more than it can bear.
 *
 * <p>First come first: who wants little waits behind who wants much.
 */
public final class Semaphore {
  /*
   * Invariants, under the guard: 0 <= held <= weight; the first in the queue does not fit in, unless it is about to leave.
   *
   * Checked by: SemaphoreTest.
   */
  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private final long weight;
  private long held;

  /** Of the goroutine that made it; null if it was made outside. */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** One that can bear so much. */
  public Semaphore(long weight) {
    checkNotNegative("weight", weight);
    this.weight = weight;
  }

  /**
   * Waits until {@code n} can be borne beside what others hold.
   *
   * @throws IllegalArgumentException if {@code n} is negative or more than the weight of the semaphore. In Go the latter
   *     waits until its context is done.
   */
  public void acquire(long n) throws InterruptedException {
    checkNotNegative("n", n);
    if (n > weight) {
      throw new IllegalArgumentException(
          "acquire of " + n + " from a semaphore of " + weight + " would wait for ever");
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

  /** The same without waiting; false if it would have to, also because others wait. */
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
   * Gives back.
   *
   * @throws IllegalStateException if it is more than is held
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

  private boolean acquireLocked(long n) {
    if (!queue.isEmpty() || n > weight - held) {
      return false;
    }
    held += n;
    return true;
  }

  /** Those behind it may fit in. */
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

  /** Under the guard: the first in the queue get what they want, as long as it fits in. Returns them as a chain. */
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
