package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Finds the next goroutine for an M with a P, in the order of rule F2, or gives up the P (rules F1, F2, F6, Q4, Q6). */
final class FindRunnable {
  /** Half a ring, so that what is fetched always fits (rule Q6). */
  private static final int MAX_SHARE = 128;

  private final Sched sched;

  FindRunnable(Sched sched) {
    this.sched = sched;
  }

  /**
   * A goroutine to run on {@code p}; null if there was none: then the M has given {@code p} up, and has no P any more
   * and should sleep, or has another one, since there was work after all, and should look again with that.
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
   * Those that handed over to each other have had their time: the next one queues behind all others (Q4). Wakes nobody:
   * an M that misses it between here and there finds it at its second look, in MPool.stopM.
   */
  private void endSlice(P p) {
    G next = p.runQueue.takeNext();
    if (next != null) {
      sched.globalQueue.put(next);
    }
  }

  /** A fair share of the global queue: the first to be run, the rest to the ring, which is empty. */
  private @Nullable G takeShare(M m, P p) {
    G first = sched.globalQueue.takeShare(p.procs(), MAX_SHARE, p.runQueue);
    if (first != null && !m.spinning && !p.isOnly() && !p.runQueue.isEmpty()) {
      // An M that looked at all queues in between has seen the rest neither there nor here. A
      // spinner need not say so: it does when it stops. Pairs with the fence in giveUp.
      VarHandle.fullFence();
      sched.spinning.wakeP();
    }
    return first;
  }

  private @Nullable G findElsewhere(M m, P p) {
    if (!m.spinning) {
      if (!sched.spinning.mayStart()) {
        return null;
      }
      sched.spinning.start(m);
    }
    G g = sched.stealing.steal(m, p);
    return g == null && m.search.idleSpin.nanos() > 0 ? linger(m, p) : g;
  }

  /** Looks again for a while, if nobody else does, and others are at work. */
  private @Nullable G linger(M m, P p) {
    long end = System.nanoTime() + m.search.idleSpin.nanos();
    long pause = IdleSpin.FIRST_PAUSE;
    G g = null;
    boolean isAlone = sched.spinning.count() == 1;
    while (g == null && isAlone && mayLinger() && System.nanoTime() - end < 0) {
      pause = IdleSpin.pause(pause);
      g = sched.globalQueue.isEmpty() ? sched.stealing.stealAgain(m, p) : takeShare(m, p);
      if (g == null) {
        g = sched.net.poll(m, p); // while it is up, nobody may be waiting in the poller
      }
    }
    return g;
  }

  private boolean mayLinger() {
    int procs = sched.procs();
    return procs <= sched.cpus && sched.idlePs.size() < procs - 1 && !sched.attentionNeeded;
  }

  /** The sleep dance (F6): drop the P, stop spinning, then look at everything once more, and take a P if there is work. */
  private void giveUp(M m, P p) {
    sched.spinning.giveUp(m, p);
    if (m.spinning) {
      sched.spinning.stop(m);
    }
    // Pairs with the exchange in RunQueue.put and the fences in Ready: who queued a goroutine
    // before this is seen below; who queues one after it sees our P idle and our spinning over.
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
