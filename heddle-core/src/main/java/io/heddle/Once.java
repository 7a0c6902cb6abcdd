package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.wait.WaitQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task, once: Go's {@code sync.Once}.
 *
 * {@snippet :
 * private final Once init = new Once();
 *
 * Config config() throws Exception {
 *   init.run(() -> config = load());   // the first caller loads, the others wait for it
 *   return config;
 * }
 * }
 *
 * <p>A task that throws counts as run, as in Go: the first caller gets the exception, later callers
 * return normally.
 *
 * <p>Goroutines and all other threads can call {@link #run} at the same time. Only a caller that
 * waits for another thread's task responds to interrupts. A task that calls {@link #run} of the
 * same Once gets an {@link IllegalStateException}.
 *
 * <p>Memory consistency: the actions of the task <i>happen-before</i> actions after the return of
 * every {@link #run}.
 */
public final class Once {
  /*
   * States:
   *   new      runner is null, done is false
   *   running  runner is the thread that runs the task
   *   done     runner is null, done is true
   *
   * Ordering: the spin lock called guard protects the field runner and the queue. The field done is
   * written under the guard, too. It is volatile, so that later callers can read it without the
   * guard.
   */
  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private @Nullable Thread runner;
  private volatile boolean done;

  /**
   * The scheduler of the goroutine that made this object; null if no goroutine made it. The
   * deadlock detector needs it to know whether a thread that is no goroutine of that scheduler
   * could end a wait here: see {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** Makes an instance that has run no task. */
  public Once() {}

  /**
   * Runs {@code t} if this is the first call. Otherwise waits until the task of the first call has
   * ended, and ignores {@code t}.
   *
   * @param t the task
   * @throws Exception what {@code t} threw, if this call ran it
   * @throws IllegalStateException if the task itself calls this method of the same Once; in Go that
   *     call would wait forever
   * @throws InterruptedException if the caller would have to wait for another thread's task, and is
   *     interrupted before or meanwhile
   */
  public void run(Task t) throws Exception {
    Objects.requireNonNull(t, "t");
    if (done) {
      return;
    }
    CreatorScheduler.recordUse();
    StackHeadroom.ensure();
    Waiter waiter = Waiter.one();
    waiter.begin("sync.Mutex.Lock", maker);
    if (isFirst(waiter)) {
      try {
        t.run();
      } finally {
        end();
      }
    } else if (!waiter.await(WaitLimit.INTERRUPTIBLE)) {
      leave(waiter);
      WaitLimit.checkInterrupt();
    }
  }

  @Override
  public String toString() {
    return done ? "Once[done]" : "Once[not done]";
  }

  /**
   * Returns whether this is the first call, which must run its task. In a later call, queues {@code
   * waiter}, or ends its wait at once if the task of the first call has ended. Throws if the caller
   * is the thread that runs the task.
   */
  private boolean isFirst(Waiter waiter) {
    Thread caller = Thread.currentThread();
    guard.lock();
    try {
      if (done) {
        waiter.fire();
        return false;
      }
      if (runner == null) {
        runner = caller;
        return true;
      }
      if (runner == caller) {
        throw new IllegalStateException("run of a Once from inside the task that it runs");
      }
      queue.add(waiter);
      return false;
    } finally {
      guard.unlock();
    }
  }

  /** Records that the task has ended, and wakes all waiters. */
  private void end() {
    Waiter waiters;
    guard.lock();
    try {
      done = true;
      runner = null;
      waiters = Waiter.fireAll(queue);
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(waiters);
  }

  /** Removes {@code waiter} from the queue, after an interrupt ended its wait. */
  private void leave(Waiter waiter) {
    guard.lock();
    try {
      queue.remove(waiter);
    } finally {
      guard.unlock();
    }
  }
}
