package io.heddle;

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

/** A context that can end. */
final class CancelContext implements Context.Cancelable {
  /*
   * Invariants: end is set once, before done is closed; from then on the dependents do not change until all have been told,
   * when they are forgotten, and no timer is set. One that has ended is not among the dependents of the one above. Nobody
   * is shown the end before done is closed.
   *
   * The lock is an ordinary one: only user code takes it, never an M, since a deadline starts a goroutine that ends the
   * context. Nobody holds two.
   *
   * Checked by: ContextTest, ContextStress.
   */

  /** Who is told when a context ends. */
  private sealed interface Dependent {}

  private record End(Throwable err, Throwable cause) {}

  final Context parent;
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

  static Runnable onDone(Context context, Runnable r) {
    CancelContext at = nearest(context);
    if (at == null) {
      return () -> {};
    }
    Call call = new Call(callersScheduler(), CurrentContext.inherited(r::run), r);
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

  /** How many it would tell, for tests. */
  int dependents() {
    lock.lock();
    try {
      return dependents.size();
    } finally {
      lock.unlock();
    }
  }

  /** What ends it at its deadline, for tests; null once it has ended. */
  @Nullable Timer timer() {
    lock.lock();
    try {
      return timer;
    } finally {
      lock.unlock();
    }
  }

  /** The first at or above {@code context} that can end. */
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

  /** In a goroutine of its own. Nobody else could: without memory, it waits for some. */
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

  /** The end, once done is closed: whoever sets the one closes the other before it unlocks. */
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
   * Ends it and all below, which have ended when this returns: whoever comes while another one is at it does the same
   * work again. In a loop, as the tree may be deeper than the stack.
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

  /** Ends it, if nobody has yet. Returns who may still have to be told. */
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
      return dependents; // which nobody changes any more
    } finally {
      lock.unlock();
    }
  }

  /** All below have ended. */
  private void forgetDependents() {
    lock.lock();
    try {
      dependents = Set.of();
    } finally {
      lock.unlock();
    }
  }

  /** False if it has ended. */
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
    return VirtualThreads.isOpen() ? Go.scheduler() : null;
  }

  /** A context below. */
  private static final class Below implements Dependent {
    private final CancelContext context;

    Below(CancelContext context) {
      this.context = context;
    }
  }

  /** What is to run at the end. */
  private static final class Call implements Dependent {
    private static final VarHandle STARTED;

    static {
      try {
        STARTED = MethodHandles.lookup().findVarHandle(Call.class, "started", boolean.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

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

    /** The first time. */
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
        started = false; // for who ends the context once more
        throw t;
      }
    }
  }
}
