package io.heddle.internal.sched;

import io.heddle.internal.policy.IdleSpin;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next goroutine for an M with a P, or releases the P; Go's {@code findRunnable}. The
 * order of the search is rule F2: due timers and queue of that P, global queue, sockets, other Ps.
 * At regular intervals the global queue comes before the queue of that P (rules F1, F2, F6, Q4,
 * Q6).
 */
final class FindRunnable {
  /**
   * The largest number of goroutines that an M takes from the global queue at once (rule Q6): half
   * the capacity of a ring, the local queue of a P. So they always fit into an empty ring.
   */
  private static final int MAX_SHARE = 128;

  private final Sched sched;

  FindRunnable(Sched sched) {
    this.sched = sched;
  }

  /**
   * Returns a goroutine to run on {@code p}. If there is none, releases {@code p}, looks once more,
   * and returns null. If the last look found work and an idle P, {@code m} has acquired that P and
   * must search again. Otherwise {@code m} has no P and must sleep.
   */
  @Nullable G find(M m, P p) {
    G g = findHere(m, p);
    if (g != null) {
      return g;
    }
    g = sched.net.poll(m, p);
    if (g == null) {
      g = findElsewhere(m, p);
    }
    if (g == null) {
      giveUp(m, p);
    } else {
      m.slice.begin();
    }
    return g;
  }

  /**
   * Searches without touching another P: fires the due timers of {@code p}, then looks at the queue
   * of {@code p} and the global queue. Returns null if no goroutine is there.
   */
  private @Nullable G findHere(M m, P p) {
    boolean _ = sched.timekeeper.runDue(m, p.timers);
    if (m.slice.consumeEnd()) {
      endSlice(p);
    }
    G g = m.slice.takeGlobalTurn() ? sched.globalQueue.take() : null;
    if (g == null) {
      g = p.runQueue.takeNext();
      if (g != null) {
        return g;
      }
      g = p.runQueue.takeHead();
    }
    if (g == null) {
      g = takeShare(m, p);
    }
    if (g != null) {
      m.slice.begin();
    }
    return g;
  }

  /**
   * Ends a time slice: moves the goroutine in {@code runNext}, if there is one, to the tail of the
   * global queue (Q4). Otherwise goroutines that wake each other through {@code runNext} would
   * share one slice forever, and others would not get their turn.
   *
   * <p>The move wakes no M, because it makes no goroutine runnable. Another M that searches during
   * the move finds the goroutine in neither queue. But that M looks once more before it sleeps: see
   * {@link MPool#stopM}.
   */
  private void endSlice(P p) {
    G next = p.runQueue.takeNext();
    if (next != null) {
      sched.globalQueue.put(next);
    }
  }

  /**
   * Takes a fair share of the global queue: returns the first goroutine, and moves the rest to the
   * ring of {@code p}, which is empty. Returns null if the global queue is empty.
   */
  private @Nullable G takeShare(M m, P p) {
    G first = sched.globalQueue.takeShare(p.procs(), MAX_SHARE, p.runQueue);
    if (first != null && !m.spinning && !p.isOnly() && !p.runQueue.isEmpty()) {
      // While the rest of the share was moved, another M may have looked at all queues, found the
      // rest in neither queue, and gone to sleep. Therefore this M wakes one. A spinning M need not
      // wake one here, because it does so when it stops spinning. The fence pairs with the fence in
      // giveUp.
      VarHandle.fullFence();
      sched.spinning.wakeP();
    }
    return first;
  }

  /**
   * Lets {@code m} spin: counts it as spinning, and searches the other Ps for work. If they have
   * none, {@code m} may search all queues and the sockets again for a while: see {@link #spinIdle}.
   * Returns null if nothing is found. Also returns null, without a search, if {@code m} does not
   * spin yet and enough other Ms do. An M that has found work is still counted as spinning.
   */
  private @Nullable G findElsewhere(M m, P p) {
    if (!m.spinning) {
      if (!sched.spinning.mayStart()) {
        return null;
      }
      sched.spinning.start(m);
    }
    G g = sched.stealing.steal(m, p);
    return g == null && m.search.idleSpin.nanos() > 0 ? spinIdle(m, p) : g;
  }

  /**
   * Lets {@code m} scan the queues and the sockets again for a while; see {@link IdleSpin}. {@code
   * m} does so only if no other M spins at the beginning. It stops if no other P is busy, if there
   * are more Ps than CPUs, or if {@link Sched#attentionNeeded} is set. Returns null if {@code m}
   * does not scan, or finds nothing.
   */
  private @Nullable G spinIdle(M m, P p) {
    long end = System.nanoTime() + m.search.idleSpin.nanos();
    long pause = IdleSpin.FIRST_PAUSE_NANOS;
    G g = null;
    boolean isAlone = sched.spinning.count() == 1;
    while (g == null && isAlone && maySpinIdle() && System.nanoTime() - end < 0) {
      pause = IdleSpin.pause(pause);
      g = sched.globalQueue.isEmpty() ? sched.stealing.stealAgain(m, p) : takeShare(m, p);
      if (g == null) {
        g = sched.net.poll(m, p); // while m is awake, perhaps no other M polls
      }
    }
    return g;
  }

  private boolean maySpinIdle() {
    int procs = sched.procs();
    return procs <= sched.cpus && sched.idlePs.size() < procs - 1 && !sched.attentionNeeded;
  }

  /** Performs steps 1 to 4 of going to sleep (rule F6): see {@link Sched}. */
  private void giveUp(M m, P p) {
    sched.spinning.giveUp(m, p);
    if (m.spinning) {
      sched.spinning.stop(m);
    }
    // Pairs with the exchange in RunQueue.put and the fences in Ready. The look below sees each
    // goroutine that was queued before this fence. A submitter that queues one after this fence
    // sees this P idle and this M not spinning.
    VarHandle.fullFence();
    P again = hasWork() ? sched.spinning.takeIdleP() : null;
    if (again != null) {
      m.acquireP(again);
      sched.spinning.start(m);
    }
  }

  /** Whether there is a runnable goroutine in any queue, or a timer is due. */
  boolean hasWork() {
    if (!sched.globalQueue.isEmpty()) {
      return true;
    }
    for (P p : sched.world.all()) {
      if (!p.runQueue.isEmpty()) {
        return true;
      }
    }
    return sched.timekeeper.isDue();
  }
}
