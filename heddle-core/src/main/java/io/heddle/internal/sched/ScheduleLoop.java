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
        boolean _ = m.acceptAssignedP(); // a waker may have assigned a P while m went to sleep
      }
      sched.logLater(m.getName(), " continues after an error in the scheduler", t);
      return false;
    }
  }

  /**
   * Does one round of the loop: finds a goroutine and runs it, or sleeps, or does other work of the
   * scheduler. Returns false if the M must end.
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
   * Takes {@code m} back into the scheduler after it ran user code. {@code m} keeps its P, whose
   * state becomes SCHED, unless the P was retaken, removed or released meanwhile. While the P is
   * stopped, waits until the world starts; an M that is locked to a goroutine waives its claim to
   * the P instead.
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
        return; // a locked M must not wait until the world starts: see StopTheWorld
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
      reenter(m); // also after an error: the caller assumes that the P of m is in SCHED
      m.endRuns();
    }
  }

  /**
   * Waits on an M that is locked to a goroutine, after that goroutine has stepped off; Go's {@code
   * stoplockedm}. First {@code m} gives its P away. Another M that finds the goroutine hands it to
   * {@code m}, together with a P. Then {@code m} runs the goroutine.
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
   * Returns the goroutine that {@code m} runs next, on the fast path from one goroutine to the
   * next: {@code runNext} (Q4), the head of the ring, or, if the last goroutine yielded (G6), the
   * head of the global queue. Unlike in the scheduler, sysmon may retake the P during this
   * method, because the P stays in state USER. So the M takes from its own queue by
   * compare-and-set, like any thief.
   *
   * <p>Returns null if the M must enter the scheduler for a full search:
   *
   * <ul>
   *   <li>These queues are empty.
   *   <li>The P was retaken or is stopped.
   *   <li>The M is in the scheduler already ({@link M#markInScheduler}).
   *   <li>The M, or the next goroutine, is locked (G7).
   *   <li>The slice is over (Q4), or the global queue comes first (F1).
   *   <li>Timers must be checked, or {@link Sched#attentionNeeded} is set.
   * </ul>
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
        next = sched.globalQueue.swap(yielded); // the queue is as long as before, so wake no M
        m.slice.begin();
      } else {
        sched.ready.putGlobal(yielded); // wakes another M for it, because this M runs next
      }
    }
    if (next == null || (!next.locked && m.isUsing(p))) {
      return next;
    }
    // The P was retaken meanwhile, or next is locked to another M. next is off its queue and still
    // RUNNABLE, so it must not be lost: this M hands it over, or queues it again.
    if (next.locked) {
      m.slots.defer(next);
    } else {
      sched.ready.putGlobal(next);
    }
    return null;
  }

  /**
   * Hands {@code found}, which is locked to another M, to that M, together with the P of {@code m}.
   * If {@code m} has no P, puts {@code found} into the global queue. While {@code m} has a P, it
   * must not do that: it could take the goroutine from there and put it back forever.
   */
  private void routeLockedG(M m, G found) {
    P p = m.p();
    if (p == null) {
      sched.ready.putGlobal(found);
    } else {
      sched.handOff.toLocked(m, p, found);
    }
  }

  /**
   * Takes the goroutine in {@code runNext}, which inherits the slice, or else the head of the ring,
   * which begins a slice. Returns null if both are empty.
   */
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
   * Does the chores (see {@link Sched#doChores}) if there are any. For the loop of a scheduler with
   * a {@link Driver}.
   */
  protected final void doChoresIfAny() {
    if (sched.hasChores) {
      sched.doChores();
    }
  }

  /**
   * Runs {@code g} until it unmounts, without a P. Returns {@code g} if it has yielded, else null.
   * For the loop of a scheduler with a {@link Driver}.
   */
  protected final @Nullable G runOnly(M m, G g) {
    m.runLoop.runOnly(g);
    m.endRuns();
    return m.slots.takeYielded();
  }

  /**
   * Does what {@link Sched#attentionNeeded} asks for: waits until the world starts again, or does
   * the chores.
   */
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
   * Does the chores (see {@link Sched#doChores}). They may block, so the P is in state USER
   * meanwhile, in which sysmon can retake it.
   */
  private void doChores(M m, P p) {
    if (m.spinning) {
      sched.spinning.stop(m);
    }
    m.leaveScheduler(p);
    // A submitter may have relied on this M, because it was spinning or about to search for work.
    // Chores may take long, so another M must search. The fence pairs with that in
    // FindRunnable.giveUp.
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
