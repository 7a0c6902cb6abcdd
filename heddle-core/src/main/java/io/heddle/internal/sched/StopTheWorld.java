package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.queue.StealOrder;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The Ps, and changing how many there are (rule P1): nobody schedules meanwhile, goroutines' own code runs on.
 *
 * <p>A goroutine that runs while the world is stopped keeps its M, and gets its P back with the start, unless that P is
 * one of those removed.
 */
final class StopTheWorld {
  /*
   * To stop, every P is brought to STOPPED: an idle one at once, one in user code at once, too, leaving its M the claim
   * to it; one in the scheduler as soon as its M leaves for user code, gives it up, or sees isStopping() at its next
   * step and stands aside, which is the same as leaving for user code. So the stopper waits for a few instructions of
   * others, or a pause of one that lingers, and until an M that was just woken with a P has a CPU, never for a goroutine, and may itself be a goroutine.
   *
   * Between stop and start the stopper must not park, start or unpark a goroutine: its own M would have to schedule. The
   * lock is taken before and released after.
   *
   * An M that is locked to a goroutine (G7) does not wait for the start: the P that the goroutine was found with may be on
   * its way to that M, and the stopper waits for it. It gives up its claim instead, to a P it would not use anyway.
   *
   * Threads without a P go on putting to the global queue. They find no idle P to wake an M for, so start looks.
   *
   * Ordering: tryStopUser and tryStopIdle pair with the Ms' leave and toIdle, restart with their enter: the stopper owns all Ps meanwhile.
   *
   * Checked by: ProcsTest, SchedulerStressTest.
   */

  /** One number of Ps: who they are, and in which order thieves visit them. */
  record Procs(P[] all, StealOrder order) {}

  private final Sched sched;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean stopping;
  private volatile Procs procs;

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

  /** The P of that number, null if there is none now. */
  @Nullable P p(int number) {
    P[] all = procs.all();
    return number < all.length ? all[number] : null;
  }

  boolean isStopping() {
    return stopping;
  }

  /** An M that was about to schedule waits for the world to start again. */
  void standAside(M m, P p) {
    m.leaveScheduler(p);
    int round = 0;
    while (stopping) {
      round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
    }
    sched.schedule.reenter(m);
  }

  /** Changes the number of Ps and returns the old one; 0 or less only asks. */
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
      StackHeadroom.ensure(); // an overflow between stop and start would leave the world stopped
      int old = procs();
      if (n != old) {
        resize(n);
      }
      return old;
    } finally {
      lock.unlock();
    }
  }

  private void resize(int n) {
    P[] old = procs.all();
    Procs resized = resized(old, n); // before the stop: it allocates
    boolean[] owned = new boolean[old.length];
    for (int i = n; i < old.length; i++) {
      sched.timekeeper.retire(old[i].timers); // so does this
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

  private void stop(P[] all, boolean[] owned) {
    stopping = true;
    sched.attentionNeeded = true;
    for (int i = 0; i < all.length; i++) {
      owned[i] = stopOne(all[i]);
    }
  }

  /** Returns whether an M keeps a claim to it. */
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
    sched.handOff
        .recheckAfterIdle(); // who put something, or armed a timer, saw a P idle, or this sees it
  }

  private void restart(P[] all, boolean[] owned) {
    for (int i = 0; i < all.length; i++) {
      all[i].setProcs(all.length);
      if (i >= owned.length || !owned[i] || !all[i].restartWithOwner()) {
        sched.idlePs.add(i); // before the word: IDLE implies the bit
        all[i].restartIdle();
      }
    }
  }

  /** Moves what waits for {@code p} to the front of the global queue, in order: for those that stay. */
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

  private Procs resized(P[] old, int n) {
    P[] all = Arrays.copyOf(old, n);
    for (int i = old.length; i < n; i++) {
      all[i] = sched.newP(i);
    }
    return new Procs(all, new StealOrder(n));
  }
}
