package io.heddle.internal.sched;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The Ms that look for work with a P and without a goroutine (rule F5), and the idle Ps they are woken for.
 *
 * <p>See work conservation in {@link Sched}.
 */
final class Spinners {
  private final Sched sched;
  private final AtomicInteger count = new AtomicInteger();

  Spinners(Sched sched) {
    this.sched = sched;
  }

  int count() {
    return count.get();
  }

  /** Wakes one M to look for work, if there is an idle P for it and nobody looks already. */
  void wakeP() {
    wakeP(1);
  }

  /** The same if fewer than {@code enough} look already. */
  void wakeP(int enough) {
    for (int n = count.get();
        n < enough && hasIdleP() && sched.threads.canObtainM();
        n = count.get()) {
      if (count.compareAndSet(n, n + 1) && startSpinner()) {
        return;
      }
    }
  }

  /** With the count taken; gives it back if that fails, also by an error. */
  private boolean startSpinner() {
    boolean started = false;
    try {
      P p = tryAcquireIdleP();
      started = p != null && sched.threads.startM(p, true);
      if (started) {
        sched.sysmon.wake(); // behind the M: each takes the caller a while
      }
    } finally {
      // Another submitter may have relied on our count, and a P or an M may have become idle since
      // we looked: wakeP looks again.
      if (!started) {
        count.decrementAndGet();
      }
    }
    return started;
  }

  /** Whether one more M may look at other Ps: at most half as many as there are busy Ps do. */
  boolean mayStart() {
    int busy = sched.procs() - sched.idlePs.size();
    return 2 * count.get() < busy;
  }

  void start(M m) {
    m.spinning = true;
    sched.tracing.spin(m);
    count.incrementAndGet();
  }

  void stop(M m) {
    m.spinning = false;
    sched.tracing.spun(m);
    count.decrementAndGet();
  }

  /**
   * A spinner found work, or lost its P. There may be more work, and whoever saw it spinning has not woken anybody: the
   * last spinner sees to it that somebody looks again.
   */
  void stopSpinningAndWakeNext(M m) {
    stop(m);
    wakeP();
  }

  /** Takes that one, if it is idle. */
  boolean take(P p) {
    boolean taken = takeInSilence(p);
    if (taken) {
      sched.sysmon.wake();
    }
    return taken;
  }

  /** Takes an idle P, for the caller to give to an M; null if there is none. */
  @Nullable P takeIdleP() {
    P p = tryAcquireIdleP();
    if (p != null) {
      sched.sysmon.wake();
    }
    return p;
  }

  /** The same, and leaves it to the caller to wake sysmon. */
  private @Nullable P tryAcquireIdleP() {
    for (int i = sched.idlePs.next(0); i >= 0; i = sched.idlePs.next(i + 1)) {
      P p = sched.world.p(i);
      if (p != null && takeInSilence(p)) {
        return p;
      }
    }
    return null;
  }

  private boolean takeInSilence(P p) {
    if (!p.tryTake()) {
      return false;
    }
    sched.idlePs.remove(p.number);
    return true;
  }

  /** Gives up the P of {@code m}. */
  void giveUp(M m, P p) {
    sched.idlePs.add(p.number); // before the word: IDLE implies the bit
    m.releaseP(p);
  }

  /** Gives back a P that was taken for an M that could not be had. */
  void giveBack(P p) {
    sched.idlePs.add(p.number);
    p.toIdle();
  }

  /** The bit alone does not tell: it is there a moment before and after the P is idle. */
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
