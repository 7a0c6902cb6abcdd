package io.heddle;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.SchedClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A context that can end: by a call of cancel or close, at its deadline, or when the nearest
 * CancelContext above it ends.
 */
final class CancelContext implements Context.Cancelable {
  /*
   * The field end is null until the context ends, and then says why it has ended. Dependents are
   * the contexts and calls that must be told of the end: see Dependent.
   *
   * Invariants:
   * - end is set once, before the channel done is closed.
   * - After end is set, dependents does not change until all dependents have been told. Then the
   *   set is cleared.
   * - After end is set, no timer is started.
   * - A context that ends is removed from the dependents of the context above it.
   * - err and cause return null until done is closed.
   *
   * The lock may park its waiters, because scheduler code never takes it: at a deadline the timer
   * starts a goroutine, which ends the context. No thread holds the locks of two contexts at once.
   *
   * Checked by: ContextTest, ContextStress.
   */

  /**
   * A dependent is told when the context has ended. A dependent is a context below, which then
   * ends, too; or a call that was registered with onDone, which is then started.
   */
  private sealed interface Dependent {}

  /** How a context has ended: the results of err and cause. */
  private record End(Throwable err, Throwable cause) {}

  final Context parent;

  /**
   * The nearest CancelContext above this one; null if there is none. When it ends, this context
   * ends.
   */
  private final @Nullable CancelContext above;

  private final @Nullable Instant deadline;
  private final Chan<Void> done = Chan.make();
  private final ReentrantLock lock = new ReentrantLock();
  private final Below asDependent = new Below(this);
  private Set<Dependent> dependents = Set.of();
  private @Nullable Timer timer;
  private volatile @Nullable End end;

  private CancelContext(Context parent, @Nullable Instant deadline) {
    this.parent = parent;
    this.above = nearest(parent);
    this.deadline = deadline;
  }

  /**
   * Makes a context below {@code parent}. {@code deadline} is null for none. The new context has
   * ended already if {@code parent} has ended or the deadline has passed.
   */
  static CancelContext below(Context parent, @Nullable Instant deadline) {
    Instant before = parent.deadline();
    boolean isOurs = deadline != null && (before == null || deadline.isBefore(before));
    CancelContext made = new CancelContext(parent, isOurs ? deadline : before);
    CancelContext above = made.above;
    if (above != null && !above.add(made.asDependent)) {
      made.endAll(Objects.requireNonNull(above.end));
    } else if (isOurs && deadline != null) {
      made.setTimer(deadline);
    }
    return made;
  }

  /**
   * Registers {@code r}: see {@link Context#onDone}. Returns a Runnable that cancels the
   * registration.
   */
  static Runnable onDone(Context context, Runnable r) {
    CancelContext at = nearest(context);
    if (at == null) {
      return () -> {};
    }
    Scheduler scheduler = callersScheduler();
    Task inherits = CurrentContext.inherited(r::run);
    Call call = new Call(scheduler, scheduler == null ? inherits : scheduler.carried(inherits), r);
    if (!at.add(call)) {
      call.start();
    }
    return () -> at.remove(call);
  }

  @Override
  public void cancel() {
    CancellationException err = new CancellationException("context cancelled");
    endAll(new End(err, err));
  }

  @Override
  public void cancel(Throwable cause) {
    Objects.requireNonNull(cause, "cause");
    CancellationException err = new CancellationException("context cancelled: " + cause);
    err.initCause(cause);
    endAll(new End(err, cause));
  }

  @Override
  public void close() {
    cancel();
  }

  @Override
  public Receiver<Void> done() {
    return done;
  }

  @Override
  public @Nullable Throwable err() {
    End e = endOfDone();
    return e == null ? null : e.err;
  }

  @Override
  public @Nullable Throwable cause() {
    End e = endOfDone();
    return e == null ? null : e.cause;
  }

  @Override
  public @Nullable Instant deadline() {
    return deadline;
  }

  @Override
  public String toString() {
    return parent + (deadline == null ? ".withCancel()" : ".withDeadline(" + deadline + ")");
  }

  /** The number of dependents, for tests. */
  int dependents() {
    lock.lock();
    try {
      return dependents.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The timer of the deadline, for tests; null after the end, and if this context has no deadline
   * or inherits it.
   */
  @Nullable Timer timer() {
    lock.lock();
    try {
      return timer;
    } finally {
      lock.unlock();
    }
  }

  /** The nearest CancelContext at or above {@code context}; null if there is none. */
  private static @Nullable CancelContext nearest(Context context) {
    Context at = context;
    while (at instanceof ValueContext v) {
      at = v.parent;
    }
    return at instanceof CancelContext c ? c : null;
  }

  private void setTimer(Instant deadline) {
    Duration left = Duration.between(SchedClock.instant(), deadline);
    if (!left.isPositive()) {
      timeOut();
      return;
    }
    lock.lock();
    try {
      if (end == null) {
        timer = Timer.scheduleOwn(left, this::timeOutSurely);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the context at its deadline. The timer runs this method in a new goroutine. If memory is
   * short, this goroutine tries again, because no other thread would end the context then.
   */
  private void timeOutSurely() {
    for (; ; ) {
      try {
        timeOut();
        return;
      } catch (OutOfMemoryError again) {
        Go.gosched();
      }
    }
  }

  private void timeOut() {
    TimeoutException err = new TimeoutException("context deadline exceeded: " + deadline);
    endAll(new End(err, err));
  }

  /**
   * Returns why this context has ended; null before done is closed. The thread that sets end closes
   * done before it unlocks. So a caller that sees end set but done still open waits for the lock.
   */
  private @Nullable End endOfDone() {
    End e = end;
    if (e == null || done.isClosed()) {
      return e;
    }
    lock.lock();
    try {
      return end;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends this context and all contexts below; when this returns, all of them have ended. If two
   * threads call this method at once, each tells all dependents, so neither returns too early. This
   * method is a loop and not a recursion, because the tree of contexts may be too deep for the
   * stack.
   */
  private void endAll(End how) {
    Deque<Dependent> toTell = new ArrayDeque<>(end(how));
    if (above != null) {
      above.remove(asDependent);
    }
    List<CancelContext> told = new ArrayList<>(List.of(this));
    while (!toTell.isEmpty()) {
      switch (toTell.remove()) {
        case Below below -> {
          toTell.addAll(below.context.end(Objects.requireNonNull(end)));
          told.add(below.context);
        }
        case Call call -> call.start();
      }
    }
    told.forEach(CancelContext::forgetDependents);
  }

  /**
   * Ends this context, but not the contexts below. Does nothing if this context has ended already.
   * Returns the dependents, and the caller must tell them of the end in both cases: another thread
   * that ended this context may not have told all of them yet.
   */
  private Set<Dependent> end(End how) {
    lock.lock();
    try {
      if (end == null) {
        end = how;
        done.close();
        if (timer != null) {
          timer.stop();
          timer = null;
        }
      }
      return dependents; // after end is set, add and remove no longer change this set
    } finally {
      lock.unlock();
    }
  }

  /** Drops the dependents after all of them have been told. */
  private void forgetDependents() {
    lock.lock();
    try {
      dependents = Set.of();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a dependent. Returns false, without adding it, if this context has ended. */
  private boolean add(Dependent dependent) {
    lock.lock();
    try {
      if (end != null) {
        return false;
      }
      if (dependents.isEmpty()) {
        dependents = new LinkedHashSet<>();
      }
      dependents.add(dependent);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void remove(Dependent dependent) {
    lock.lock();
    try {
      if (end == null && !dependents.isEmpty()) {
        dependents.remove(dependent);
        dependents = dependents.isEmpty() ? Set.of() : dependents;
      }
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable Scheduler callersScheduler() {
    return VirtualThreads.isOpen() || MasterSwitch.isOff() ? Go.scheduler() : null;
  }

  /** A dependent that is another context: {@code context} ends when the context above it ends. */
  private static final class Below implements Dependent {
    private final CancelContext context;

    Below(CancelContext context) {
      this.context = context;
    }
  }

  /** A dependent that is a call, registered with onDone: it is started when the context ends. */
  private static final class Call implements Dependent {
    private static final VarHandle STARTED =
        Handles.field(MethodHandles.lookup(), "started", boolean.class);

    private volatile boolean started;
    private final @Nullable Scheduler scheduler;
    private final Task task;
    private final Runnable users;
    private final @Nullable StackTraceElement site;

    Call(@Nullable Scheduler scheduler, Task task, Runnable users) {
      this.scheduler = scheduler;
      this.task = task;
      this.users = users;
      this.site = scheduler == null ? null : CreationSite.of(users);
    }

    /** Starts the call, unless it was started before. */
    void start() {
      if (!STARTED.compareAndSet(this, false, true)) {
        return;
      }
      try {
        if (scheduler == null) {
          Thread.startVirtualThread(users);
        } else {
          scheduler.startOwn(task, site);
        }
      } catch (Throwable t) {
        started = false; // so that a repeated cancel of the context can start this call
        throw t;
      }
    }
  }
}
