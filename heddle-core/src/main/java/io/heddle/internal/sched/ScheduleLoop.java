package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.queue.RunQueue;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** What an M does over and over: find a goroutine and run it until it blocks, yields or ends. */
public class ScheduleLoop {
  private final Sched sched;

  public ScheduleLoop(Sched sched) {
    this.sched = sched;
  }

  /** Round after round until the M is to end; false: there was an error, and it goes on. */
  public boolean untilEnd(M m) {
    try {
      while (step(m)) {}
      return true;
    } catch (Throwable t) {
      if (m.threadLock.holder() == null) {
        boolean _ = m.acceptAssignedP(); // while it was about to sleep
      }
      sched.logLater(m.getName(), " goes on after an error in the scheduler", t);
      return false;
    }
  }

  /** One round; false: the M is to end. */
  private boolean step(M m) {
    if (m.threadLock.holder() != null) {
      runLocked(m);
      return true;
    }
    G found = m.takeDeferred();
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

  /** Back in the scheduler with the P, or without it if it was taken away or given up meanwhile. */
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
          sched.spinning.stopSpinningAndWakeNext(
              m); // who saw it spinning relies on somebody to look again
        }
        return;
      }
      if (m.threadLock.holder() != null && m.dropClaim(p)) {
        return; // the world is stopped, and may wait for this M: see StopTheWorld
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
      G yielded = m.takeYielded();
      if (yielded != null) {
        sched.ready.putGlobal(yielded);
      }
      reenter(m); // also after an error: the M must not go on as if it were in the scheduler
      m.endRuns();
    }
  }

  /**
   * An M that is locked to a goroutine, which is not on it now: waits without a P until another M finds that goroutine,
   * and hands it over together with a P.
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
   * The short way from one goroutine to the next: the one it made ready (Q4), the oldest of the ring, or, if it yielded
   * (G6), the oldest of all. Anybody may take those, so the M does, without a detour through the scheduler, until the
   * slice is over (Q4), the global queue comes first (F1) or timers are to be looked at.
   */
  final @Nullable G pickNextFast(M m) {
    G yielded = m.takeYielded();
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
        next = sched.globalQueue.swap(yielded); // as many wait as before: nobody need be woken
        m.slice.begin();
      } else {
        sched.ready.putGlobal(yielded); // this M is not about to look for work: it has next
      }
    }
    if (next == null || (!next.locked && m.isUsing(p))) {
      return next;
    }
    // The P may have been taken away in between, or next is to run elsewhere. It counts as queued.
    if (next.locked) {
      m.deferLockedG(next);
    } else {
      sched.ready.putGlobal(next);
    }
    return null;
  }

  /** At once, not by way of the global queue: at the end of that it might be found, and put back, for ever. */
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

  /** Does the scheduler's chores, if there are any. For the loop of a driven scheduler. */
  protected final void doChoresIfAny() {
    if (sched.hasChores) {
      sched.doChores();
    }
  }

  /** Runs {@code g} alone, without a P, and returns it if it has yielded. For the loop of a driven scheduler. */
  protected final @Nullable G runOnly(M m, G g) {
    m.runLoop.runOnly(g);
    m.endRuns();
    return m.takeYielded();
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

  /** Without holding on to the P, as if it were a goroutine's own code. */
  private void doChores(M m, P p) {
    if (m.spinning) {
      sched.spinning.stop(m);
    }
    m.leaveScheduler(p);
    // Who saw it spinning, or saw that it would look for work next, relied on it: somebody else
    // is to look, since this may take long. Pairs with the fence in FindRunnable.giveUp.
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
