package io.heddle;

import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Goroutines that work on parts of one thing, as in Go's errgroup: the first failure cancels the {@link #context}, and
 * is what {@link #await} throws.
 *
 * <p>Used in a try-with-resources statement, no goroutine of the group outlives that. Cancelling does not interrupt: the
 * tasks are to watch the context, which is the {@link Context#current} of each.
 */
public final class Group implements AutoCloseable {
  private final Context.Cancelable context;
  private final Mutex lock = new Mutex();
  private final Condition room = lock.newCondition("semacquire");
  private final Condition empty = lock.newCondition("sync.WaitGroup.Wait");
  private int limit = Integer.MAX_VALUE;
  private int active;
  private boolean closed;
  private @Nullable Throwable failure;

  /** One below the {@linkplain Context#current current} context. */
  public Group() {
    this(Context.current());
  }

  /** One below {@code parent}. */
  public Group(Context parent) {
    this.context = parent.withCancel();
  }

  /** Ends with the first failure, when {@link #await} has nothing more to wait for, and with {@link #close}. */
  public Context context() {
    return context;
  }

  /**
   * No more than {@code n} goroutines at the same time.
   *
   * @throws IllegalStateException if there are some already
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
   * Runs {@code t} in a goroutine, of the caller's scheduler. Waits while there are as many as the {@link #limit}.
   *
   * @throws CancelledException if the caller is interrupted while it waits; then {@code t} is not run
   * @throws IllegalStateException if the group is closed
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

  /** The same, unless that would have to wait; says whether. */
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
   * Waits for all, then throws the first failure, if there is one, with the others suppressed in it.
   *
   * @throws InterruptedException if the caller is interrupted while it waits; the goroutines run on
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

  /** Cancels the context and waits for all, even if interrupted: the interrupt flag is set then. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      room.signalAll(); // who waits to start one must not
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

  /** Under the lock: counts one more, if there may be one. */
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

  private void start(Task t) {
    boolean started = false;
    try {
      Go.scheduler().startOwn(() -> run(t), CreationSite.of(t));
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

  /** Nobody else could: without memory, it waits for some. */
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
