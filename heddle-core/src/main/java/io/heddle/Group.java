package io.heddle;

import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A group of goroutines that work on parts of one task, as Go's {@code errgroup.Group}: the first
 * failure cancels the {@link #context} of all and is thrown by {@link #await}.
 *
 * {@snippet :
 * try (Group group = new Group()) {
 *   for (URI page : site) {
 *     group.go(() -> fetch(page));
 *   }
 *   group.await();                 // throws the first failure
 * }                                // no goroutine of the group is left here
 * }
 *
 * <p>The {@link Context#current} of each task is the context of the group. Cancelling that context
 * interrupts no goroutine: the tasks must watch it. {@link #close} cancels the context and waits,
 * so a try-with-resources statement leaves no goroutine behind, however the statement ends.
 *
 * <p>All methods can be called from any thread at the same time, also by tasks of the group. A task
 * that waits for its own group, in {@link #await} or {@link #close}, waits for itself.
 *
 * <p>Interruption of a caller that waits: {@link #go} throws {@link CancelledException},
 * {@link #await} throws {@link InterruptedException}, and {@link #close} waits on.
 *
 * <p>Memory consistency: actions before {@link #go} <i>happen-before</i> the actions of the task,
 * and these <i>happen-before</i> actions after an {@link #await} or {@link #close} that waited for
 * it.
 */
public final class Group implements AutoCloseable {
  private final Context.Cancelable context;
  private final Mutex lock = new Mutex();

  // The names of the two conditions are the wait reasons in dumps: Go's words for the same waits.
  /** Signalled when a goroutine ends or the group is closed. Callers of go wait for it. */
  private final Condition room = lock.newCondition("semacquire");

  /** Signalled when the last goroutine ends. Callers of await and close wait for it. */
  private final Condition empty = lock.newCondition("sync.WaitGroup.Wait");

  // The lock guards the following fields.
  private int limit = Integer.MAX_VALUE;
  private int active;
  private boolean closed;
  private @Nullable Throwable failure;

  /** Makes a group whose context is below the {@linkplain Context#current current} context. */
  public Group() {
    this(Context.current());
  }

  /**
   * Makes a group whose context is below {@code parent}.
   *
   * @param parent the context above; when it ends, the context of the group ends
   */
  public Group(Context parent) {
    this.context = parent.withCancel();
  }

  /**
   * Returns the context of this group. It ends with the first failure, when {@link #await} has
   * waited for all goroutines, with {@link #close}, or with its parent.
   *
   * @return the context in which the tasks run
   */
  public Context context() {
    return context;
  }

  /**
   * Limits the number of goroutines that run at the same time. Without this there is no limit.
   *
   * @param n the limit, 1 or more
   * @return this group
   * @throws IllegalArgumentException if {@code n} is less than 1
   * @throws IllegalStateException if goroutines of this group are running
   */
  public Group limit(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("limit " + n + ": allowed is 1 or more");
    }
    lock.lock();
    try {
      if (active > 0) {
        throw new IllegalStateException("limit " + n + " while " + active + " goroutines run");
      }
      limit = n;
    } finally {
      lock.unlock();
    }
    return this;
  }

  /**
   * Runs {@code t} in a goroutine of the caller's scheduler. Waits while the
   * {@linkplain #limit limit} is reached.
   *
   * @param t the task; what it throws is a failure of the group
   * @throws CancelledException if the caller is interrupted while it waits; then {@code t} is not
   *     run
   * @throws IllegalStateException if the group is closed, or is closed while the caller waits
   */
  public void go(Task t) {
    Objects.requireNonNull(t, "t");
    lock.lock();
    try {
      while (!enter()) {
        room.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancelledException("interrupted while the group was full", e);
    } finally {
      lock.unlock();
    }
    start(t);
  }

  /**
   * Runs {@code t} as {@link #go} does, if that is possible without waiting.
   *
   * @param t the task; what it throws is a failure of the group
   * @return whether {@code t} is run; false if the {@linkplain #limit limit} is reached
   * @throws IllegalStateException if the group is closed
   */
  public boolean tryGo(Task t) {
    Objects.requireNonNull(t, "t");
    lock.lock();
    try {
      if (!enter()) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    start(t);
    return true;
  }

  /**
   * Waits until all goroutines of this group have ended and then cancels the context. Throws the
   * first failure, if there was one; the other failures are suppressed in it. Tasks that are
   * started after that find the context cancelled.
   *
   * @throws Exception the first failure
   * @throws InterruptedException if the caller is interrupted before or while it waits; the
   *     goroutines run on
   */
  public void await() throws Exception {
    Throwable thrown;
    lock.lockInterruptibly();
    try {
      while (active > 0) {
        empty.await();
      }
      thrown = failure;
    } finally {
      lock.unlock();
    }
    context.cancel();
    Scheduler.rethrow(thrown);
  }

  /**
   * Cancels the context and waits until all goroutines of this group have ended. An interrupt does
   * not end the wait; it leaves the caller's interrupt flag set. Does not throw failures. After
   * this, {@link #go} throws {@link IllegalStateException}; closing again has no effect.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      room.signalAll(); // a caller that waits to start a task must not start it any more
    } finally {
      lock.unlock();
    }
    context.cancel();
    lock.lock();
    try {
      while (active > 0) {
        empty.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts one more goroutine and returns true; returns false if the limit is reached. Throws if
   * the group is closed. The caller holds the lock.
   */
  private boolean enter() {
    if (closed) {
      throw new IllegalStateException("the group is closed");
    }
    if (active >= limit) {
      return false;
    }
    active++;
    return true;
  }

  /** Starts the goroutine that {@link #enter} has counted. If that fails, takes back the count. */
  private void start(Task t) {
    boolean started = false;
    try {
      Scheduler scheduler = Go.scheduler();
      scheduler.startOwn(scheduler.carried(() -> run(t)), CreationSite.of(t));
      started = true;
    } finally {
      if (!started) {
        leave();
      }
    }
  }

  private void run(Task t) {
    try {
      context.run(t);
    } catch (Throwable e) {
      fail(e);
    } finally {
      leave();
    }
  }

  private void fail(Throwable e) {
    lock.lock();
    try {
      if (failure != null) {
        if (failure != e) {
          failure.addSuppressed(e);
        }
        return;
      }
      failure = e;
    } finally {
      lock.unlock();
    }
    cancelOthers(e);
  }

  /**
   * Cancels the context. If there is no memory for that, yields and tries again, because no other
   * thread would cancel the context for this failure.
   */
  private void cancelOthers(Throwable e) {
    for (; ; ) {
      try {
        context.cancel(e);
        return;
      } catch (OutOfMemoryError again) {
        Go.gosched();
      }
    }
  }

  /**
   * Counts one goroutine less, because it has ended or could not be started. Wakes one caller of
   * go. If no goroutine is left, also wakes the callers of await and close.
   */
  private void leave() {
    lock.lock();
    try {
      active--;
      room.signal();
      if (active == 0) {
        empty.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }
}
