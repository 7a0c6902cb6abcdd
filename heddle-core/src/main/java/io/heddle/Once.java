package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.wait.WaitQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs one task, once. */
public final class Once {
  /*
   * States: new (no runner, not done), running (a runner), done. Both are written under the guard; done is read without
   * it, by those who come when all is over.
   */
  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();
  private @Nullable Thread runner;
  private volatile boolean done;

  /** Of the goroutine that made it; null if it was made outside. */
  private final @Nullable Sched maker = CreatorScheduler.currentScheduler();

  /** One that has run nothing. */
  public Once() {}

  /**
   * Runs {@code t} if this is the first call; returns when the task of the first call is over. One that throws is over as
   * well, as in Go, and what it threw goes to the caller that ran it.
   *
   * @throws IllegalStateException when the task itself calls this, which in Go would wait for ever
   * @throws InterruptedException when interrupted while another thread runs its task
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

  /** Whether the caller is to run its task; if not, and it is not done, the waiter is in the queue. */
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

  private void leave(Waiter waiter) {
    guard.lock();
    try {
      queue.remove(waiter);
    } finally {
      guard.unlock();
    }
  }
}
