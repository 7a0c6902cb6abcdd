package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.queue.RunQueue;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The loop of an M: find a goroutine, and run it until it parks, yields or ends; Go's {@code
 * schedule}.
 */
public class ScheduleLoop {
  private final Sched sched;

  public ScheduleLoop(Sched sched) {
    this.sched = sched;
  }

  /**
   * Runs goroutines on {@code m} until that M must end, and returns true. Returns false after an
   * error in the scheduler; then the caller must call this method again.
   */
  public boolean untilEnd(M m) {
    try {
      while (step(m)) {}
      return true;
    } catch (Throwable t) {
      if (m.threadLock.holder() == null) {
        boolean _ = m.acceptAssignedP(); // a waker may have assigned one while m went to sleep
      }
      sched.logLater(m.getName(), " continues after an error in the scheduler", t);
      return false;
    }
  }

  /**
   * Does one round of the loop: finds a goroutine and runs it, or sleeps. False if the M must end.
   */
  private boolean step(M m) {
    if (m.threadLock.holder() != null) {
      runLocked(m);
      return true;
    }
    G found = m.slots.takeDeferred();
    if (found != null) {
      routeLockedG(m, found);
      return true;
    }
    P p = m.p();
    if (p == null) {
      p = sched.spinning.takeIdleP();
      if (p == null) {
        return sched.threads.stopM(m);
      }
      m.acquireP(p);
    }
    if (sched.attentionNeeded) {
      handleAttention(m, p);
      return true;
    }
    G g = sched.findRunnable.find(m, p);
    if (g == null) {
      return m.p() != null || sched.threads.stopM(m);
    }
    if (g.locked) {
      sched.handOff.toLocked(m, p, g);
    } else {
      run(m, p, g);
    }
    return true;
  }

  /**
   * Takes {@code m} back into the scheduler: with its P, or without one if that P was retaken or
   * released meanwhile.
   */
  final void reenter(M m) {
    P p = m.p();
    if (m.consumeInScheduler() || p == null) {
      return;
    }
    int round = 0;
    while (m.enterScheduler() == null) {
      if (m.hasLost(p)) {
        m.forgetP();
        if (m.spinning) {
          sched.spinning.stopSpinningAndWakeNext(m);
        }
        return;
      }
      if (m.threadLock.holder() != null && m.dropClaim(p)) {
        return; // the stopper may wait for this M to receive a P: see StopTheWorld
      }
      round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
    }
  }

  private void run(M m, P p, G g) {
    if (m.spinning) {
      sched.spinning.stopSpinningAndWakeNext(m);
    }
    m.startRuns();
    m.leaveScheduler(p);
    try {
      m.runLoop.run(g);
    } finally {
      G yielded = m.slots.takeYielded();
      if (yielded != null) {
        sched.ready.putGlobal(yielded);
      }
      reenter(m); // even after an error, or the M would act as if it owned a P in SCHED
      m.endRuns();
    }
  }

  /**
   * For an M whose locked goroutine has stepped off. The M waits until another M finds that
   * goroutine and hands it over together with a P; Go's {@code stoplockedm}. Then it runs the
   * goroutine.
   */
  private void runLocked(M m) {
    P p = m.p();
    if (p != null) {
      m.forgetP();
      sched.handOff.handOff(p);
    }
    m.sleepLocked();
    if (m.acceptAssignedP()) {
      P handed = m.p();
      G g = m.mailbox.takeG();
      if (handed != null && g != null) {
        run(m, handed, g);
      }
    }
  }

  /**
   * Returns the next goroutine on the fast path from one goroutine to the next, without entering
   * the scheduler: {@code runNext} (Q4), the head of the ring, or, if the last goroutine yielded
   * (G6), the head of the global queue. The P stays in USER, so the M must take from its own queue
   * by compare-and-set, like any thief.
   *
   * <p>Returns null, for the full search, if there is none, the slice is over (Q4), the global
   * queue comes first (F1), timers must be checked, or a flag asks for attention.
   */
  final @Nullable G pickNextFast(M m) {
    G yielded = m.slots.takeYielded();
    P p = m.p();
    if (p == null || !m.mayTakeOver(p) || sched.attentionNeeded) {
      if (yielded != null) {
        sched.ready.putYielded(m, p, yielded);
      }
      return null;
    }
    G next = takeNext(m, p.runQueue);
    if (yielded != null) {
      if (next == null) {
        next = sched.globalQueue.swap(yielded); // as many wait as before, so wake no M
        m.slice.begin();
      } else {
        sched.ready.putGlobal(yielded); // wakes an M, because this one runs next
      }
    }
    if (next == null || (!next.locked && m.isUsing(p))) {
      return next;
    }
    // The P was retaken meanwhile, or next must run on another M. The status of next is RUNNABLE.
    if (next.locked) {
      m.slots.defer(next);
    } else {
      sched.ready.putGlobal(next);
    }
    return null;
  }

  /**
   * Hands a locked goroutine to its M at once. The goroutine must not go through the global queue,
   * where this M could find it and put it back forever.
   */
  private void routeLockedG(M m, G found) {
    P p = m.p();
    if (p == null) {
      sched.ready.putGlobal(found);
    } else {
      sched.handOff.toLocked(m, p, found);
    }
  }

  private static @Nullable G takeNext(M m, RunQueue<G> queue) {
    G next = queue.pollNextShared();
    if (next == null) {
      next = queue.pollHeadShared();
      if (next != null) {
        m.slice.begin();
      }
    }
    return next;
  }

  /**
   * Does the chores (see {@link Sched#doChores}) if there are any. For the loop of a driven
   * scheduler.
   */
  protected final void doChoresIfAny() {
    if (sched.hasChores) {
      sched.doChores();
    }
  }

  /**
   * Runs {@code g} alone, without a P, and returns {@code g} if it has yielded. For the loop of a
   * driven scheduler.
   */
  protected final @Nullable G runOnly(M m, G g) {
    m.runLoop.runOnly(g);
    m.endRuns();
    return m.slots.takeYielded();
  }

  private void handleAttention(M m, P p) {
    sched.attentionNeeded = false;
    if (sched.world.isStopping()) {
      sched.attentionNeeded = true;
      sched.world.standAside(m, p);
    } else if (sched.hasChores) {
      doChores(m, p);
    }
  }

  /**
   * Does the chores while the P is in state USER, in which sysmon can retake it: chores may block.
   */
  private void doChores(M m, P p) {
    if (m.spinning) {
      sched.spinning.stop(m);
    }
    m.leaveScheduler(p);
    // A submitter may have relied on this M, because it was spinning or about to search for work.
    // Chores may take long, so another M must search. Pairs with the fence in FindRunnable.giveUp.
    VarHandle.fullFence();
    sched.spinning.wakeP();
    m.inUserCallback = true;
    try {
      sched.doChores();
    } finally {
      m.inUserCallback = false;
      reenter(m);
    }
  }
}
