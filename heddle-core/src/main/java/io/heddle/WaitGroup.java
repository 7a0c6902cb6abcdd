package io.heddle;

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
 * Waits for several goroutines, or anything else that is {@link #done} one day: a counter, and those who wait until it is
 * 0. When it is, it can be used again.
 */
public final class WaitGroup {
  /*
   * States, in one word: (counter, whether somebody may wait).
   *
   * Invariants: who waits has come under the guard, with the bit set and the counter above 0; the step to 0 with the bit
   * set is made under the guard, clears it, and ends the wait of all. A waiter that has given up leaves the bit, which
   * costs the last one the guard and nothing else.
   *
   * Ordering: all changes of the word are volatile compare-and-sets.
   *
   * Checked by: WaitGroupTest.
   */
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(WaitGroup.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final long WAITERS = 1;

  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private volatile long state;

  /** Of the goroutine that made it; null if it was made outside. */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** One that counts 0. */
  public WaitGroup() {}

  /** Adds to the counter; a negative {@code n} takes from it. */
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

  /** Takes 1 from the counter. */
  public void done() {
    add(-1);
  }

  /** Waits until the counter is 0. */
  public void await() throws InterruptedException {
    if (!await(WaitLimit.INTERRUPTIBLE)) {
      WaitLimit.checkInterrupt();
    }
  }

  /** The same for so long; whether it was 0 in time. */
  public boolean await(Duration d) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(d);
    if (await(WaitLimit.of(nanos))) {
      return true;
    }
    WaitLimit.checkInterrupt();
    return false;
  }

  /** Adds 1, and starts a goroutine that is done when {@code t} is, however that ends. */
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

  /** The step to 0 if the word still is {@code s}. */
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

  /** False: there is nothing to wait for any more. */
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
