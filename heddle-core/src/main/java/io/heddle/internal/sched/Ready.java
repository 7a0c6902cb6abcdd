package io.heddle.internal.sched;

import io.heddle.internal.trace.SchedLatency;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Makes a goroutine runnable: queues it on the P of the caller if the caller has one, else in the
 * global queue (rules Q2, Q5, Q7, G6); Go's {@code ready}.
 *
 * <p>All methods follow the steps of submission in {@link Sched}. They differ in the queue that
 * they use, and in the fence between the write to the queue and the read of the idle Ps (step 3).
 */
public class Ready {
  private final Sched sched;

  public Ready(Sched sched) {
    this.sched = sched;
  }

  /** Makes {@code g} runnable unless it is queued already. Callable by any thread; never parks. */
  public void ready(G g) {
    // The caller may be an M itself, and no goroutine on it: a goroutine has just stepped off that
    // M, or the M does chores (Sched.doChores). During chores its P is in USER, as it is while a
    // goroutine runs, so isM must be false.
    boolean isM = Thread.currentThread() instanceof M m && m.sched == sched && !m.inUserCallback;
    M m = isM ? (M) Thread.currentThread() : sched.currentM();
    boolean isNew = g.isNew();
    if (isNew) {
      sched.registry.recordStart(g, m == null ? null : m.local);
    }
    if (!g.toRunnable()) {
      return; // Q7: g is queued already; the M that takes it from the queue runs it
    }
    measure(g);
    if (m != null && isM && m.current() == g && g.hasYielded()) {
      sched.tracing.yielded(m, g);
      m.slots.yielded(g);
      return;
    }
    sched.tracing.ready(m, g, isNew); // before put, after which an M may run g at once
    put(m, g, isM);
  }

  /**
   * Makes {@code g}, which is new, runnable. Unlike {@link #ready} it does not check whether the
   * caller is an M itself, because the caller must be on a virtual thread. It does not check
   * whether {@code g} is queued already, because no other thread may refer to {@code g} yet.
   */
  void start(G g) {
    M m = sched.currentM();
    sched.registry.recordStart(g, m == null ? null : m.local);
    g.toStarted();
    measure(g);
    sched.tracing.ready(m, g, true);
    put(m, g, false);
  }

  /**
   * Makes {@code g}, which is new, runnable. Unlike {@link #start} it always appends {@code g} to
   * the global queue.
   */
  void startLast(G g) {
    M m = sched.currentM();
    sched.registry.recordStart(g, m == null ? null : m.local);
    g.toStarted();
    measure(g);
    sched.tracing.ready(m, g, true);
    putGlobal(g);
  }

  /**
   * Queues {@code g}.
   *
   * @param m the calling M, or the M that runs the calling goroutine; null if the caller is a
   *     thread outside the scheduler
   * @param isM whether {@code m} itself calls, and no goroutine on it
   */
  public void put(@Nullable M m, G g, boolean isM) {
    if (m == null) {
      putFromOutside(g);
    } else if (!(isM ? putNextAsM(m, g) : putNext(m, g))) {
      putGlobal(g);
    }
  }

  /**
   * Starts to measure how long {@code g} waits for a P, if this wait is one of those that are
   * sampled. Called before an M can run {@code g}.
   */
  private void measure(G g) {
    int turn = g.turn();
    if (SchedLatency.isSampled(g.id, turn)) {
      sched.latency.waits(g, g.id, turn);
    }
  }

  /**
   * Appends {@code g} to the global queue, for a caller whose M has no P or must not put {@code g}
   * into its P's queue.
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
   * <p>Differences from Go: Go wakes one M, which wakes the next. Here each submission wakes an M,
   * unless as many Ms spin as goroutines wait in the global queue. The reason is that an external
   * submitter, such as a server's acceptor, usually submits a burst. Meanwhile it occupies the CPU
   * that a single woken M would need.
   */
  private void putFromOutside(G g) {
    sched.globalQueue.put(g);
    VarHandle.fullFence(); // pairs with the fence in FindRunnable.giveUp
    sched.spinning.wakeP(Math.max(1, sched.globalQueue.size()));
  }

  /**
   * Appends {@code g}, which has yielded, to the global queue (G6). {@code m} is about to search
   * for work. If it still has its P, it will find {@code g} itself. So it wakes no other M if there
   * is no other P, or if no other goroutine is in the queue of its P or in the global queue.
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
   * Puts {@code g} into {@code runNext} of the P of {@code m}, for a goroutine that runs on {@code
   * m}. Returns false, with no effect, if {@code m} has no P, or if the P was retaken or is
   * stopped.
   *
   * <p>Usually {@code runNext} is empty. Then the P stays in state USER, and {@code g} is offered
   * (see {@link P}, Offers). The offer stands if the P is still in that state, with {@code m},
   * afterwards.
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
    // g, and may have put it into another queue. An M that is going to sleep may have looked at
    // that queue already. So wake an M in both cases.
    if (!p.isOnly()) {
      sched.spinning.wakeP();
    }
    return true;
  }

  /**
   * Moves the P of {@code m} to state SCHED, puts {@code g} into its {@code runNext}, and moves the
   * P back to USER. A goroutine that was in {@code runNext} moves to the ring. Returns false, with
   * no effect, if {@code m} has no P, or if the P was retaken or is stopped.
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
      // The exchange of runNext is in the total order of volatile accesses. The write to the ring,
      // to which a displaced goroutine moves, is not (see RunQueue), so it needs a fence. The fence
      // pairs with the fence in FindRunnable.giveUp.
      if (displaced) {
        VarHandle.fullFence();
      }
      sched.spinning.wakeP();
    }
    return true;
  }

  /**
   * Puts {@code g} into {@code runNext} of the P of {@code m}, for {@code m} itself. A goroutine
   * has just stepped off {@code m}, or {@code m} fires timers or delivers socket events. {@code m}
   * searches for work next, so it wakes no other M if {@code g} is the only goroutine in the queue
   * of its P. Returns false, with no effect, if {@code m} has no P, or if the P was retaken or is
   * stopped.
   */
  private boolean putNextAsM(M m, G g) {
    P p = m.enterScheduler();
    if (p == null) {
      return false;
    }
    boolean isAlone = p.runQueue.isEmpty();
    boolean displaced = p.runQueue.put(g, true);
    m.markInScheduler();
    // isAlone and displaced are both true if another goroutine was offered (see P, Offers) between
    // the calls of isEmpty and put.
    if (!p.isOnly() && !(isAlone && !displaced)) {
      if (displaced) {
        VarHandle.fullFence(); // for the displaced goroutine in the ring: see replaceNext
      }
      sched.spinning.wakeP();
    }
    return true;
  }
}
