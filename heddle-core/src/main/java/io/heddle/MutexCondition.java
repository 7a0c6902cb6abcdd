package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.wait.WaitQueue;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a {@link Mutex}: first come, first served, without spurious wake-ups.
 *
 * <p>A waiting thread enters the queue before it unlocks the mutex. Any thread that then locks the
 * mutex and signals finds the waiting thread in the queue. So no signal is lost.
 */
@SuppressWarnings("WaitNotInLoop") // the caller of await has the loop
final class MutexCondition implements Condition {
  private final Mutex mutex;
  private final String reason; // the wait reason that dumps show
  private final @Nullable Sched maker;
  private final RuntimeLock guard = Waiter.guard();
  private final WaitQueue queue = new WaitQueue();

  /**
   * Makes a condition. {@code reason} is the wait reason that dumps show; {@code maker} is the
   * scheduler whose goroutine made the mutex, or null.
   */
  MutexCondition(Mutex mutex, String reason, @Nullable Sched maker) {
    this.mutex = mutex;
    this.reason = reason;
    this.maker = maker;
  }

  @Override
  public void await() throws InterruptedException {
    WaitLimit.checkInterrupt();
    if (!await(WaitLimit.INTERRUPTIBLE)) {
      WaitLimit.checkInterrupt();
    }
  }

  @Override
  public void awaitUninterruptibly() {
    await(WaitLimit.UNINTERRUPTIBLE);
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    WaitLimit.checkInterrupt();
    WaitLimit patience = WaitLimit.of(nanos);
    if (await(patience)) {
      return Math.max(1, patience.left()); // signalled: never 0 or less, which means "timed out"
    }
    WaitLimit.checkInterrupt();
    return Math.min(0, patience.left());
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return awaitNanos(unit.toNanos(time)) > 0;
  }

  @Override
  @SuppressWarnings("JavaUtilDate") // Condition declares it
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    return await(deadline.getTime() - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void signal() {
    wake(false);
  }

  @Override
  public void signalAll() {
    wake(true);
  }

  /**
   * Unlocks the mutex, waits for a signal, and locks the mutex again. Returns false if no signal
   * came before the time limit or an interrupt.
   */
  private boolean await(WaitLimit patience) {
    checkLocked();
    StackHeadroom.ensure();
    Waiter waiter = Waiter.one();
    waiter.begin(reason, maker);
    guard.lock();
    try {
      queue.add(waiter);
    } finally {
      guard.unlock();
    }
    mutex.unlock();
    boolean signalled = waiter.await(patience);
    if (!signalled) {
      leave(waiter);
    }
    mutex.lock();
    return signalled;
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

  private void wake(boolean all) {
    checkLocked();
    StackHeadroom.ensure();
    @Nullable Waiter fired;
    guard.lock();
    try {
      fired = all ? Waiter.fireAll(queue) : Waiter.fireFirst(queue);
    } finally {
      guard.unlock();
    }
    Waiter.wakeAll(fired);
  }

  private void checkLocked() {
    if (!mutex.isLocked()) {
      throw new IllegalMonitorStateException("the mutex of the condition is not locked");
    }
  }
}
