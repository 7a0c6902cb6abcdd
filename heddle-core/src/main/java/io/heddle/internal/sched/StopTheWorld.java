package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.queue.StealOrder;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holds the Ps, and changes their number (rule P1). For a change it stops the world: meanwhile no M
 * schedules, but user code continues to run.
 *
 * <p>A goroutine that runs while the world is stopped keeps its M, and has its P again when the
 * world starts, unless that P was removed.
 */
final class StopTheWorld {
  /*
   * Stopping: the stopper, the thread that stops the world, moves every P to STOPPED.
   *   - It stops an idle P at once.
   *   - It stops a P in user code at once, too; the M keeps the claim to that P, which means that
   *     it has the P again after the start.
   *   - It stops a P in the scheduler as soon as its M leaves for user code or releases the P. An M
   *     that sees isStopping() at its next step stands aside, which is the same as leaving for user
   *     code.
   * So the stopper waits at most for three things: a few instructions of each M; one pause of an M
   * in idle spinning (IdleSpin); a CPU for an M that was just woken with a P. It never waits for
   * user code, and it may run in a goroutine.
   *
   * Between stop and start the stopper must not park, and must not start or unpark a goroutine,
   * because its own M would have to schedule. It must not allocate either: an OutOfMemoryError
   * would leave the world stopped. Because unlocking may unpark a goroutine, the stopper takes the
   * lock before the stop and releases it after the start.
   *
   * An M that is locked to a goroutine (G7) must not wait for the start. Another M may have found
   * that goroutine, and be about to hand it over together with its own P. The stopper waits until
   * it can stop that P, and only the locked M can move it out of the scheduler. So the locked M
   * waives the claim to its former P (M.dropClaim), and sleeps until it receives the other P. It
   * would not use the former P anyway.
   *
   * Threads without a P continue to put goroutines into the global queue. They find no idle P while
   * the world is stopped, and so wake no M. Therefore start looks at all queues.
   *
   * Ordering: tryStopUser and tryStopIdle (by the stopper) pair with leave and toIdle (by the Ms).
   * restartWithOwner and restartIdle (by the stopper) pair with enter and tryTake (by the Ms). So
   * between stop and start the stopper owns all Ps.
   *
   * Checked by: ProcsTest, SchedulerStressTest.
   */

  /**
   * The Ps, and the order in which thieves visit them. A change of the number of Ps replaces this
   * object as a whole.
   */
  record Procs(P[] all, StealOrder order) {}

  private final Sched sched;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean stopping;
  private volatile Procs procs;

  /**
   * Whether the number of Ps changes when the CPU limit of the container changes. Written with the
   * lock held, read without.
   */
  private volatile boolean follows;

  StopTheWorld(Sched sched, int n) {
    this.sched = sched;
    this.procs = resized(new P[0], n);
    restart(procs.all(), new boolean[0]);
  }

  int procs() {
    return procs.all().length;
  }

  Procs current() {
    return procs;
  }

  P[] all() {
    return procs.all();
  }

  /** Returns the P with number {@code number}; null if there is no such P now. */
  @Nullable P p(int number) {
    P[] all = procs.all();
    return number < all.length ? all[number] : null;
  }

  boolean isStopping() {
    return stopping;
  }

  /**
   * Makes {@code m}, which was about to schedule with {@code p}, wait until the world starts again.
   */
  void standAside(M m, P p) {
    m.leaveScheduler(p);
    int round = 0;
    while (stopping) {
      round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
    }
    sched.schedule.reenter(m);
  }

  /**
   * Changes the number of Ps to {@code n} and returns the old number. If {@code n} is 0 or less,
   * changes nothing.
   */
  int procs(int n) {
    if (n <= 0) {
      return procs();
    }
    if (n > SchedConfig.MAX_PROCS) {
      throw new IllegalArgumentException(
          "procs " + n + ": allowed is 1 to " + SchedConfig.MAX_PROCS);
    }
    lock.lock();
    try {
      follows = false;
      return change(n);
    } finally {
      lock.unlock();
    }
  }

  /** Lets {@link #follow} change the number of Ps, until {@link #procs(int)} does. */
  void beginToFollow() {
    lock.lock();
    try {
      follows = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isFollowing() {
    return follows;
  }

  /**
   * Changes the number of Ps to {@code n}, unless {@link #procs(int)} has fixed it before. Returns
   * the old number.
   */
  int follow(int n) {
    lock.lock();
    try {
      return follows ? change(n) : procs();
    } finally {
      lock.unlock();
    }
  }

  /** Called with the lock held. */
  private int change(int n) {
    StackHeadroom.ensure(); // an overflow between stop and start would leave the world stopped
    int old = procs();
    if (n != old) {
      resize(n);
    }
    return old;
  }

  private void resize(int n) {
    P[] old = procs.all();
    // Everything that allocates comes before the stop: an OutOfMemoryError between stop and start
    // would leave the world stopped.
    Procs resized = resized(old, n);
    boolean[] owned = new boolean[old.length];
    for (int i = n; i < old.length; i++) {
      sched.timekeeper.retire(old[i].timers);
    }
    stop(old, owned);
    sched.tracing.stopped();
    for (int i = old.length - 1; i >= n; i--) {
      remove(old[i]);
    }
    procs = resized;
    sched.tracing.procs(n);
    start(resized.all(), owned);
    sched.tracing.worldStarted();
    sched.timekeeper.mergeRetiredInto(resized.all()[0].timers);
  }

  /** Stops all Ps. Sets {@code owned[i]} if the M of P {@code i} keeps the claim to that P. */
  private void stop(P[] all, boolean[] owned) {
    stopping = true;
    sched.attentionNeeded = true;
    for (int i = 0; i < all.length; i++) {
      owned[i] = stopOne(all[i]);
    }
  }

  /** Stops one P; returns whether its M keeps the claim to it. */
  private boolean stopOne(P p) {
    int round = 0;
    for (; ; ) {
      if (p.tryStopIdle()) {
        sched.idlePs.remove(p.number);
        return false;
      }
      if (p.tryStopUser()) {
        return true;
      }
      round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
    }
  }

  private void start(P[] all, boolean[] owned) {
    restart(all, owned);
    stopping = false;
    // While the world was stopped, threads without a P may have queued goroutines or armed timers.
    // Each of them saw a P that restart had made idle, and woke an M; or this look sees its work.
    sched.handOff.recheckAfterIdle();
  }

  /**
   * Returns each P to the M that has the claim to that P, and makes all other Ps idle. {@code
   * owned[i]} tells whether an M has the claim to P {@code i}.
   */
  private void restart(P[] all, boolean[] owned) {
    for (int i = 0; i < all.length; i++) {
      all[i].setProcs(all.length);
      if (i >= owned.length || !owned[i] || !all[i].restartWithOwner()) {
        sched.idlePs.add(i); // before the word: IDLE implies the bit
        all[i].restartIdle();
      }
    }
  }

  /** Removes {@code p}: moves its goroutines to the front of the global queue, in their order. */
  private void remove(P p) {
    G head = p.runQueue.takeNext();
    if (head == null) {
      head = p.runQueue.takeHead();
    }
    if (head != null) {
      G tail = head;
      int n = 1;
      for (G g = p.runQueue.takeHead(); g != null; g = p.runQueue.takeHead()) {
        tail.linkTo(g);
        tail = g;
        n++;
      }
      sched.globalQueue.putAllFirst(head, tail, n);
    }
    p.toDead();
  }

  /** Returns the first {@code n} of the old Ps, followed by new ones if there are fewer. */
  private Procs resized(P[] old, int n) {
    P[] all = Arrays.copyOf(old, n);
    for (int i = old.length; i < n; i++) {
      all[i] = sched.newP(i);
    }
    return new Procs(all, new StealOrder(n));
  }
}
