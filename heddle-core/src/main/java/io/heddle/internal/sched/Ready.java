package io.heddle.internal.sched;

import io.heddle.internal.trace.SchedLatency;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Makes a goroutine runnable: on the P of the caller if it has one, else for all (rules Q2, Q5, Q7, G6). */
public class Ready {
  private final Sched sched;

  public Ready(Sched sched) {
    this.sched = sched;
  }

  public void ready(G g) {
    // An M itself calls when a goroutine has just stepped off it, and while it does chores, which
    // are like a goroutine.
    boolean isM = Thread.currentThread() instanceof M m && m.sched == sched && !m.inUserCallback;
    M m = isM ? (M) Thread.currentThread() : sched.currentM();
    boolean isNew = g.isNew();
    if (isNew) {
      sched.registry.recordStart(g, m == null ? null : m.local);
    }
    if (!g.toRunnable()) {
      return; // Q7: queued already, and whoever takes it from there will run it
    }
    measure(m, g);
    if (m != null && isM && m.current() == g && g.hasYielded()) {
      sched.tracing.yielded(m, g);
      m.yielded(g);
      return;
    }
    sched.tracing.ready(m, g, isNew); // before anybody can run it
    put(m, g, isM);
  }

  /** The same for a new one, and a caller that is a goroutine, or another virtual thread. */
  void start(G g) {
    M m = sched.currentM();
    sched.registry.recordStart(g, m == null ? null : m.local);
    g.toStarted();
    measure(m, g);
    sched.tracing.ready(m, g, true);
    put(m, g, false);
  }

  /** {@code m} is the M that calls, {@code isM}, or that runs the calling goroutine; null outside. */
  public void put(@Nullable M m, G g, boolean isM) {
    if (m == null) {
      putFromOutside(g);
    } else if (!(isM ? putNextAsM(m, g) : putNext(m, g))) {
      putGlobal(g);
    }
  }

  /** From here to its run, if somebody wants to know. */
  private void measure(@Nullable M m, G g) {
    SchedLatency latency = sched.latency;
    if (latency != null) {
      latency.waits(m == null ? null : m.search.random, g, g.id);
    }
  }

  /** Behind all others: for who is no thread outside, and has no P to put it on, or had better not. */
  void putGlobal(G g) {
    sched.globalQueue.put(g);
    // Pairs with the fence in FindRunnable.giveUp: either that M sees g, or we see its P idle.
    VarHandle.fullFence();
    sched.spinning.wakeP();
  }

  /**
   * Behind all others. Go would wake one M, and leave it to that one to wake the next. But such a thread is likely to
   * bring more, as a server's acceptor does, and to have the CPU that the M waits for: so there is to be an M that looks
   * for each that waits.
   */
  private void putFromOutside(G g) {
    sched.globalQueue.put(g);
    VarHandle.fullFence(); // as above
    sched.spinning.wakeP(Math.max(1, sched.globalQueue.size()));
  }

  /**
   * Behind all others (G6), for which no P is needed. The M is about to look for work: with its P it finds g itself if
   * there is no other P, or no other goroutine.
   */
  void putYielded(M m, @Nullable P p, G g) {
    if (p != null
        && m.isUsing(p)
        && (p.isOnly() || (p.runQueue.isEmpty() && sched.globalQueue.isEmpty()))) {
      sched.globalQueue.put(g);
    } else {
      putGlobal(g);
    }
  }

  /**
   * For a goroutine: the other one is to run next on its P; false if the P was taken or stopped.
   *
   * <p>Usually there is no next one, and to put one there the P need not be entered: it is offered, and if the P is the
   * M's own still after that, whoever takes it away finds it there.
   */
  private boolean putNext(M m, G g) {
    P p = m.p();
    if (p == null || !m.isUsing(p)) {
      return false;
    }
    if (!p.runQueue.offerNext(g)) {
      return kickNext(m, g);
    }
    if (!m.isUsing(p) && p.runQueue.withdrawNext(g)) {
      return false;
    }
    // If it cannot be withdrawn, somebody has it, or has moved it to where a sleeper may not have
    // seen it.
    if (!p.isOnly()) {
      sched.spinning.wakeP();
    }
    return true;
  }

  private boolean kickNext(M m, G g) {
    P p = m.enterScheduler();
    if (p == null) {
      return false;
    }
    boolean isOnly = p.isOnly();
    boolean kicked = p.runQueue.put(g, true);
    m.leaveScheduler(p);
    if (!isOnly) {
      // runNext is exchanged in the total order of volatile accesses, the ring is not (see
      // RunQueue). Pairs with the fence in FindRunnable.giveUp.
      if (kicked) {
        VarHandle.fullFence();
      }
      sched.spinning.wakeP();
    }
    return true;
  }

  /** For an M that a goroutine has just stepped off. It is about to look for work, and without other needs no help. */
  private boolean putNextAsM(M m, G g) {
    P p = m.enterScheduler();
    if (p == null) {
      return false;
    }
    boolean isAlone = p.runQueue.isEmpty();
    boolean kicked = p.runQueue.put(g, true);
    m.markInScheduler();
    if (!p.isOnly() && !(isAlone && !kicked)) { // one may have been offered since
      if (kicked) {
        VarHandle.fullFence(); // as above
      }
      sched.spinning.wakeP();
    }
    return true;
  }
}
