package io.heddle.internal.sched;

import io.heddle.internal.trace.SchedLatency;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Makes a goroutine runnable: queues it on the P of the caller if the caller has one, else in the
 * global queue (rules Q2, Q5, Q7, G6); Go's {@code ready}.
 *
 * <p>All paths follow the steps of submission in {@link Sched}. They differ in the queue, and in
 * the fence between the write of the queue and the read of the idle Ps (step 3).
 */
public class Ready {
  private final Sched sched;

  public Ready(Sched sched) {
    this.sched = sched;
  }

  /** Makes {@code g} runnable unless it is queued already. Callable by any thread; never parks. */
  public void ready(G g) {
    // The calling thread may be an M itself: when a goroutine has just stepped off that M, or while
    // that M does chores. During chores the M counts as a goroutine.
    boolean isM = Thread.currentThread() instanceof M m && m.sched == sched && !m.inUserCallback;
    M m = isM ? (M) Thread.currentThread() : sched.currentM();
    boolean isNew = g.isNew();
    if (isNew) {
      sched.registry.recordStart(g, m == null ? null : m.local);
    }
    if (!g.toRunnable()) {
      return; // Q7: g is queued already; the M that takes it from there runs it
    }
    measure(m, g);
    if (m != null && isM && m.current() == g && g.hasYielded()) {
      sched.tracing.yielded(m, g);
      m.slots.yielded(g);
      return;
    }
    sched.tracing.ready(m, g, isNew); // before an M can run it
    put(m, g, isM);
  }

  /**
   * Makes {@code g}, which is new, runnable. Only for a caller on a virtual thread, and while no
   * other thread refers to {@code g}. So this method need not check whether the caller is an M
   * itself, or whether {@code g} is queued already.
   */
  void start(G g) {
    M m = sched.currentM();
    sched.registry.recordStart(g, m == null ? null : m.local);
    g.toStarted();
    measure(m, g);
    sched.tracing.ready(m, g, true);
    put(m, g, false);
  }

  /**
   * Queues {@code g}.
   *
   * @param m the M that calls or carries the calling goroutine; null for a thread outside
   * @param isM whether the M itself calls
   */
  public void put(@Nullable M m, G g, boolean isM) {
    if (m == null) {
      putFromOutside(g);
    } else if (!(isM ? putNextAsM(m, g) : putNext(m, g))) {
      putGlobal(g);
    }
  }

  /** Starts to measure how long {@code g} waits for a P, if the scheduler measures latency. */
  private void measure(@Nullable M m, G g) {
    SchedLatency latency = sched.latency;
    if (latency != null) {
      latency.waits(m == null ? null : m.search.random, g, g.id);
    }
  }

  /**
   * Appends {@code g} to the global queue, for callers on an M that has no P, or must not use it.
   */
  void putGlobal(G g) {
    sched.globalQueue.put(g);
    // Pairs with the fence in FindRunnable.giveUp: an M that releases its P there sees g, or this
    // thread sees that P idle.
    VarHandle.fullFence();
    sched.spinning.wakeP();
  }

  /**
   * Appends {@code g} to the global queue, for a thread outside the scheduler.
   *
   * <p>Differences from Go: Go wakes one M, which wakes the next. Here one M spins for each
   * goroutine that waits in the global queue, because an external submitter usually submits a burst
   * (for example, a server's acceptor) and occupies the CPU that a single woken M would need.
   */
  private void putFromOutside(G g) {
    sched.globalQueue.put(g);
    VarHandle.fullFence(); // pairs with the fence in FindRunnable.giveUp
    sched.spinning.wakeP(Math.max(1, sched.globalQueue.size()));
  }

  /**
   * Appends a goroutine that has yielded to the global queue (G6). The M is about to search for
   * work. If it has a P, it finds {@code g} itself, and wakes no other M if there is no other P or
   * no other goroutine.
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
   * Puts {@code g} into {@code runNext} of the P of the calling goroutine; false if the P was
   * retaken or stopped.
   *
   * <p>Usually {@code runNext} is empty. Then the P need not be entered: {@code g} is offered (see
   * {@link P}, Offers), and the offer stands if the P is still the M's own after it.
   */
  private boolean putNext(M m, G g) {
    P p = m.p();
    if (p == null || !m.isUsing(p)) {
      return false;
    }
    if (!p.runQueue.offerNext(g)) {
      return replaceNext(m, g);
    }
    if (!m.isUsing(p) && p.runQueue.withdrawNext(g)) {
      return false;
    }
    // The offer stands, or it could not be withdrawn. In the second case another thread has taken
    // g, perhaps to a queue that an M going to sleep had already looked at. So wake an M in both
    // cases.
    if (!p.isOnly()) {
      sched.spinning.wakeP();
    }
    return true;
  }

  /**
   * Enters the P and puts {@code g} into {@code runNext}; the goroutine that was there moves to the
   * ring. False if the P was retaken or stopped.
   */
  private boolean replaceNext(M m, G g) {
    P p = m.enterScheduler();
    if (p == null) {
      return false;
    }
    boolean isOnly = p.isOnly();
    boolean displaced = p.runQueue.put(g, true);
    m.leaveScheduler(p);
    if (!isOnly) {
      // runNext is exchanged in the total order of volatile accesses; the ring, to which a
      // displaced goroutine moves, is not (see RunQueue). The fence pairs with that in
      // FindRunnable.giveUp.
      if (displaced) {
        VarHandle.fullFence();
      }
      sched.spinning.wakeP();
    }
    return true;
  }

  /**
   * Puts {@code g} into {@code runNext}, for an M that a goroutine has just stepped off. That M is
   * about to search for work, so it wakes no other M if {@code g} is the only goroutine in the
   * queue of its P.
   */
  private boolean putNextAsM(M m, G g) {
    P p = m.enterScheduler();
    if (p == null) {
      return false;
    }
    boolean isAlone = p.runQueue.isEmpty();
    boolean displaced = p.runQueue.put(g, true);
    m.markInScheduler();
    if (!p.isOnly() && !(isAlone && !displaced)) { // displaced: offered since isEmpty()
      if (displaced) {
        VarHandle.fullFence(); // for the displaced goroutine in the ring: see replaceNext
      }
      sched.spinning.wakeP();
    }
    return true;
  }
}
