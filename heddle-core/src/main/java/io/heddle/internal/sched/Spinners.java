package io.heddle.internal.sched;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the spinning Ms, which search for work with a P and without a goroutine (rule F5), and
 * hands out the idle Ps.
 *
 * <p>See work conservation in {@link Sched}.
 */
final class Spinners {
  /*
   * That an M spins is stored twice. M.spinning is authoritative for the M itself. The count is the
   * sum of three numbers:
   *   the Ms with that flag;
   *   the Ms that were woken to spin, and have not read their mailbox yet (Mailbox.isSpinning);
   *   the submitters (threads that have made a goroutine runnable) that have incremented the count
   *     and have not woken an M yet.
   * A submitter reads only the count, because each M is counted before it can run and set its flag.
   *
   * That a P is idle is stored twice. The word of the P is authoritative. The bit in Sched.idlePs
   * only shows where to look: it is set before the word becomes IDLE, and cleared after the P was
   * acquired. IdleSet.size counts bits, so it may be a few too high for a moment. It is used only
   * as a heuristic, or while every M sleeps.
   *
   * Checked by: SpinnersTest, SchedulerStressTest, the Promela model.
   */
  private final Sched sched;
  private final AtomicInteger count = new AtomicInteger();

  Spinners(Sched sched) {
    this.sched = sched;
  }

  /** Returns the number of Ms that are counted as spinning. */
  int count() {
    return count.get();
  }

  /** Wakes one M to search for work, if there is an idle P for it and no M spins. */
  void wakeP() {
    wakeP(1);
  }

  /**
   * Wakes one M to search for work, if there is an idle P for it and fewer than {@code enough} Ms
   * spin.
   */
  void wakeP(int enough) {
    for (int n = count.get(); n < enough && hasIdleP(); n = count.get()) {
      if (!sched.threads.canObtainM()) {
        sched.threads.reportIfAtLimit();
        sched.sysmon.wake(); // it starts the M that a thread in the background must not start
        return;
      }
      if (count.compareAndSet(n, n + 1) && startSpinner()) {
        return;
      }
    }
  }

  /**
   * Wakes or starts an M with an idle P. The caller has counted that M as spinning. Returns false
   * if there is no idle P or no M. In that case, and after an error, takes the M out of the count
   * again.
   */
  private boolean startSpinner() {
    boolean started = false;
    try {
      P p = tryAcquireIdleP();
      started = p != null && sched.threads.startM(p, true);
      if (started) {
        sched.sysmon.wake(); // after startM, because the M is urgent and each wake takes time
      }
    } finally {
      // Another submitter may have read the incremented count and woken no M, and a P or an M may
      // have become idle since. Therefore wakeP repeats its loop after this decrement.
      if (!started) {
        count.decrementAndGet();
      }
    }
    return started;
  }

  /** Whether one more M may spin: fewer Ms spin than half the number of busy Ps. */
  boolean mayStart() {
    int busy = sched.procs() - sched.idlePs.size();
    return 2 * count.get() < busy;
  }

  /** Counts {@code m}, the caller, as spinning. */
  void start(M m) {
    m.spinning = true;
    sched.tracing.spin(m);
    count.incrementAndGet();
  }

  /** Takes {@code m}, the caller, out of the count of spinning Ms. Wakes no other M. */
  void stop(M m) {
    m.spinning = false;
    sched.tracing.spun(m);
    count.decrementAndGet();
  }

  /**
   * Ends the spinning of {@code m}, which has found work or lost its P. There may be more work, for
   * which a submitter has woken no M because it saw {@code m} spinning. So {@code m} now wakes
   * another M, unless one still spins or no P is idle.
   */
  void stopSpinningAndWakeNext(M m) {
    stop(m);
    wakeP();
  }

  /** Acquires {@code p} if it is idle; otherwise returns false. */
  boolean take(P p) {
    boolean taken = tryTakeQuietly(p);
    if (taken) {
      sched.sysmon.wake();
    }
    return taken;
  }

  /** Acquires an idle P, for the caller to give to an M; null if there is none. */
  @Nullable P takeIdleP() {
    P p = tryAcquireIdleP();
    if (p != null) {
      sched.sysmon.wake();
    }
    return p;
  }

  /** Acquires an idle P; null if there is none. Does not wake sysmon, so the caller must do it. */
  private @Nullable P tryAcquireIdleP() {
    for (int i = sched.idlePs.next(0); i >= 0; i = sched.idlePs.next(i + 1)) {
      P p = sched.world.p(i);
      if (p != null && tryTakeQuietly(p)) {
        return p;
      }
    }
    return null;
  }

  /**
   * Acquires {@code p} if it is idle; otherwise returns false. Does not wake sysmon, so the caller
   * must do it.
   */
  private boolean tryTakeQuietly(P p) {
    if (!p.tryTake()) {
      return false;
    }
    sched.idlePs.remove(p.number);
    return true;
  }

  /** Makes {@code p}, the P of {@code m}, idle. */
  void giveUp(M m, P p) {
    sched.idlePs.add(p.number); // before the word: IDLE implies the bit
    m.releaseP(p);
  }

  /** Makes {@code p} idle. For a thread that has acquired {@code p} and gives it to no M. */
  void giveBack(P p) {
    sched.idlePs.add(p.number); // before the word: IDLE implies the bit
    p.toIdle();
  }

  /**
   * Whether a P is idle. The bit of a P in idlePs is set before its state becomes IDLE, and cleared
   * after the state has changed again. The bit alone may be wrong, so this method also reads the
   * state.
   */
  boolean hasIdleP() {
    for (int i = sched.idlePs.next(0); i >= 0; i = sched.idlePs.next(i + 1)) {
      P p = sched.world.p(i);
      if (p != null && p.isIdle()) {
        return true;
      }
    }
    return false;
  }
}
