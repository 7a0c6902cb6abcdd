package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;

/** Makes a goroutine runnable: on the P of the caller if it has one, else for all (rules Q2, Q5, Q7, G6). */
final class Ready {
  private final Sched sched;

  Ready(Sched sched) {
    this.sched = sched;
  }

  void ready(G g) {
    // An M itself calls when a goroutine has just stepped off it, and while it does chores, which
    // are like a goroutine.
    boolean isM = Thread.currentThread() instanceof M m && m.sched == sched && !m.doesChores;
    M m = isM ? (M) Thread.currentThread() : sched.currentM();
    if (g.isNew()) {
      sched.books.born(g, m == null ? null : m.local);
    }
    if (!g.toRunnable()) {
      return; // Q7: queued already, and whoever takes it from there will run it
    }
    if (m != null && isM && m.current() == g && g.hasYielded()) {
      putYielded(m, g);
      return;
    }
    P p = m == null ? null : m.enter();
    if (m == null || p == null) {
      putGlobal(g);
    } else {
      putNext(m, p, g, isM);
    }
  }

  /** A thread without a P: outside, or one whose P was taken or stopped. */
  private void putGlobal(G g) {
    sched.globalQueue.put(g);
    // Pairs with the fence in FindRunnable.giveUp: either that M sees g, or we see its P idle.
    VarHandle.fullFence();
    sched.spinning.wakeP();
  }

  /**
   * Behind all others (G6), for which no P is needed. The M is about to look for work: with its P it finds g itself if
   * there is no other P, or no other goroutine.
   */
  private void putYielded(M m, G g) {
    P p = m.p();
    boolean noHelp =
        p != null
            && m.isUsing(p)
            && (p.isOnly() || (p.runQueue.isEmpty() && sched.globalQueue.isEmpty()));
    sched.globalQueue.put(g);
    if (!noHelp) {
      VarHandle.fullFence(); // pairs with the one in FindRunnable.giveUp
      sched.spinning.wakeP();
    }
  }

  /** To run next on this P. An M that is about to look for work, and has no other, needs no help. */
  private void putNext(M m, P p, G g, boolean isM) {
    boolean noHelp = p.isOnly() || (isM && p.runQueue.isEmpty());
    boolean kicked = p.runQueue.put(g, true);
    if (isM) {
      m.stay();
    } else {
      m.leave(p);
    }
    if (!noHelp) {
      // runNext is exchanged in the total order of volatile accesses, the ring is not (see
      // RunQueue). Pairs with the fence in FindRunnable.giveUp.
      if (kicked) {
        VarHandle.fullFence();
      }
      sched.spinning.wakeP();
    }
  }
}
