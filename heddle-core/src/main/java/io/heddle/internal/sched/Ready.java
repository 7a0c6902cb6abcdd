package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Makes a goroutine runnable: on the P of the caller if it has one, else for all (rules Q2, Q5, Q7, G6). */
final class Ready {
  private final Sched sched;

  Ready(Sched sched) {
    this.sched = sched;
  }

  void ready(G g) {
    M m = sched.currentM();
    if (g.isNew()) {
      sched.books.born(g, m == null ? null : m.local);
    }
    if (!g.toRunnable()) {
      return; // Q7: queued already, and whoever takes it from there will run it
    }
    P p = m == null ? null : m.enter();
    if (m == null || p == null) {
      putGlobal(g);
    } else if (hasYielded(m, g)) {
      putYielded(m, p, g);
    } else {
      putNext(m, p, g);
    }
  }

  /** A thread without a P: outside, or one whose P was taken or stopped. */
  private void putGlobal(G g) {
    sched.globalQueue.put(g);
    // Pairs with the fence in FindRunnable.giveUp: either that M sees g, or we see its P idle.
    VarHandle.fullFence();
    sched.spinning.wakeP();
  }

  /** Behind all others (G6). The M is on its way to look for work: alone, it finds g itself and needs no help. */
  private void putYielded(M m, P p, G g) {
    boolean alone = p.runQueue.isEmpty() && sched.globalQueue.isEmpty();
    sched.globalQueue.put(g);
    m.leave(p);
    if (!alone) {
      VarHandle.fullFence();
      sched.spinning.wakeP();
    }
  }

  private void putNext(M m, P p, G g) {
    // An M that is about to look for work, and has nothing else, finds g itself.
    boolean alone = Thread.currentThread() == m && p.runQueue.isEmpty();
    p.runQueue.put(g, true);
    m.leave(p);
    if (!alone) {
      // No fence: runNext is exchanged in the total order of volatile accesses (RunQueue,
      // Ordering).
      sched.spinning.wakeP();
    }
  }

  /** Whether the goroutine that this M ran last comes back by a yield: then the M itself is the caller. */
  private static boolean hasYielded(M m, @Nullable G g) {
    return g != null && m.current() == g && Thread.currentThread() == m && g.hasYielded();
  }
}
