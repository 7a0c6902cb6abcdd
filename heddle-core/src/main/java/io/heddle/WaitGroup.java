package io.heddle;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.wait.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a number of tasks are done: Go's {@code sync.WaitGroup}.
 *
 * {@snippet :
 * WaitGroup pages = new WaitGroup();
 * for (URI page : site) {
 *   pages.go(() -> fetch(page));   // add(1), start a goroutine, done() at its end
 * }
 * pages.await();
 * }
 *
 * <p>A wait group is a counter. {@link #add} changes it, {@link #done} subtracts 1, and
 * {@link #await()} waits until it is 0. Call {@link #add} before the task starts, not inside it;
 * otherwise {@link #await()} may find the counter at 0 too early. {@link #go} does that right.
 * After the counter has reached 0, the wait group can be used again.
 *
 * <p>Goroutines and all other threads can use a wait group at the same time. Both forms of
 * {@code await} respond to interrupts if they would have to wait, also if the interrupt came before
 * the call. A wait group does not pass on exceptions: {@link Group} does.
 *
 * <p>Memory consistency: actions before a call of {@link #done}, or of {@link #add} with a negative
 * number, <i>happen-before</i> actions after an {@link #await()} that this call allowed to return.
 * Actions before {@link #go} <i>happen-before</i> the actions of its task.
 */
public final class WaitGroup {
  /*
   * States, in one word: WAITERS, the lowest bit, is set if the queue is perhaps not empty. The
   * bits above it are the counter.
   *
   * Invariants; the guard is the spin lock of the queue:
   * - A waiter is queued under the guard, while WAITERS is set and the counter is above 0.
   * - If WAITERS is set, the counter changes to 0 under the guard only. That change clears WAITERS
   *   and ends all waits.
   * - A waiter that leaves after a time limit or an interrupt does not clear WAITERS, even if it
   *   was the last. Then the change to 0 takes the guard although it finds no waiter. That is
   *   harmless.
   *
   * Ordering: all changes of the word are volatile compare-and-sets.
   *
   * Checked by: WaitGroupTest.
   */
  private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);

  private static final long WAITERS = 1;

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private volatile long state;

  /**
   * The scheduler of the goroutine that made this wait group; null if no goroutine made it. The
   * deadlock detector needs it to know whether a thread that is no goroutine of that scheduler
   * could end a wait here: see {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** Makes a wait group whose counter is 0. */
  public WaitGroup() {}

  /**
   * Adds {@code n}, which may be negative, to the counter. If the counter becomes 0, all waiting
   * threads continue.
   *
   * @param n the number to add
   * @throws IllegalStateException if the counter would become negative or exceed
   *     {@link Integer#MAX_VALUE}; then it does not change
   */
  public void add(int n) {
    CreatorScheduler.recordUse();
    for (long s = state; ; s = state) {
      long counter = added(s, n);
      if (counter == 0 && (s & WAITERS) != 0) {
        if (end(s)) {
          return;
        }
      } else if (casState(s, counter << 1 | (s & WAITERS))) {
        return;
      }
    }
  }

  /**
   * Subtracts 1 from the counter. If it becomes 0, all waiting threads continue.
   *
   * @throws IllegalStateException if the counter is 0
   */
  public void done() {
    add(-1);
  }

  /**
   * Waits until the counter is 0. Returns at once if it is.
   *
   * @throws InterruptedException if the caller is interrupted while it would have to wait
   */
  public void await() throws InterruptedException {
    if (!await(WaitLimit.INTERRUPTIBLE)) {
      WaitLimit.checkInterrupt();
    }
  }

  /**
   * Waits until the counter is 0, at most for {@code d}.
   *
   * @param d the longest time to wait; zero or less does not wait
   * @return whether the counter was 0 in time
   * @throws InterruptedException if the caller is interrupted while it would have to wait
   */
  public boolean await(Duration d) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(d);
    if (await(WaitLimit.of(nanos))) {
      return true;
    }
    WaitLimit.checkInterrupt();
    return false;
  }

  /**
   * Adds 1 to the counter, starts a goroutine that runs {@code t}, and subtracts 1 when {@code t}
   * has returned or thrown. What {@code t} throws goes to the scheduler's
   * {@linkplain Scheduler.Builder#uncaught handler}.
   *
   * @param t what the goroutine does
   * @return the new goroutine
   */
  public Goroutine go(Task t) {
    Objects.requireNonNull(t, "t");
    add(1);
    boolean started = false;
    try {
      Goroutine g =
          Go.start(
              () -> {
                try {
                  t.run();
                } finally {
                  done();
                }
              },
              t);
      started = true;
      return g;
    } finally {
      if (!started) {
        done();
      }
    }
  }

  @Override
  public String toString() {
    return "WaitGroup[" + (state >> 1) + "]";
  }

  /** Returns the counter of the word {@code s} plus {@code n}; throws if that is out of range. */
  private static long added(long s, int n) {
    long counter = (s >> 1) + n;
    if (counter < 0) {
      throw new IllegalStateException("negative WaitGroup counter");
    }
    if (counter > Integer.MAX_VALUE) {
      throw new IllegalStateException("WaitGroup counter above " + Integer.MAX_VALUE);
    }
    return counter;
  }

  /**
   * Sets the word to 0 if it still is {@code s}, and then ends all waits. Returns false if the word
   * was not {@code s} any more.
   */
  private boolean end(long s) {
    StackHeadroom.ensure();
    Waiter waiters;
    guard.lock();
    try {
      if (!casState(s, 0)) {
        return false;
      }
      waiters = Waiter.fireAll(queue);
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(waiters);
    return true;
  }

  /** Waits until the counter is 0, as long as {@code patience} allows; returns whether it was. */
  private boolean await(WaitLimit patience) {
    SchedulingPoint.reached();
    if (state >> 1 == 0) {
      return true;
    }
    StackHeadroom.ensure();
    Waiter waiter = Waiter.one();
    waiter.begin("sync.WaitGroup.Wait", maker);
    if (!queue(waiter)) {
      return true;
    }
    boolean ended = waiter.await(patience);
    if (!ended) {
      leave(waiter);
    }
    return ended;
  }

  /**
   * Queues {@code waiter}, sets WAITERS and returns true. If the counter is 0, only returns false.
   */
  private boolean queue(Waiter waiter) {
    guard.lock();
    try {
      for (long s = state; s >> 1 != 0; s = state) {
        if (casState(s, s | WAITERS)) {
          queue.add(waiter);
          return true;
        }
      }
      return false;
    } finally {
      guard.unlock();
    }
  }

  /** Removes {@code waiter} from the queue, after a time limit or an interrupt ended its wait. */
  private void leave(Waiter waiter) {
    guard.lock();
    try {
      queue.remove(waiter);
    } finally {
      guard.unlock();
    }
  }

  private boolean casState(long from, long to) {
    return STATE.compareAndSet(this, from, to);
  }
}
