package io.heddle.internal.sched;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The Ms: made when needed, asleep on their notes when not, ended when idle for long (rule N4). */
final class Threads {
  /*
   * Invariant: until the scheduler is closed there is at least one M. So when another cannot be made, one is asleep in
   * the idle list, and would have been taken from there, or is awake, and will look for work.
   */
  private final Sched sched;
  private final Set<M> all = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger lastNumber = new AtomicInteger();
  private final Queue<Local> spareLocals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean complained = new AtomicBoolean();

  Threads(Sched sched) {
    this.sched = sched;
  }

  int count() {
    return count.get();
  }

  /** Those that have been made and have not ended. */
  Set<M> all() {
    return all;
  }

  /** Starts one, so that a scheduler that cannot have any fails when it is made. */
  void startFirst() {
    Throwable failure = tryStart(null, false);
    if (failure != null) {
      throw new IllegalStateException(
          "scheduler " + sched.name() + " cannot start a thread", failure);
    }
  }

  /**
   * Gives a P that was taken to an idle M, or to a new one. If there is neither, the P goes back to be idle: nothing is
   * lost, and the next M that looks for work finds what there is.
   */
  void startM(P p, boolean spinning) {
    M idle = sched.idleMs.pop();
    if (idle != null) {
      idle.hand(p, spinning);
      idle.note.wakeup();
      return;
    }
    Throwable failure = tryStart(p, spinning);
    if (failure != null) {
      sched.spinning.giveBack(p, spinning);
      complainOnce(failure);
    }
  }

  /** What an M does, from its start to its end. */
  void mainOf(M m) {
    m.takeHanded();
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = sched.schedule.step(m);
      } catch (Throwable t) {
        sched.report(m.getName() + " goes on after an error in the scheduler", t);
      }
    }
    forget(m);
  }

  /** Sleeps, without a P, until somebody hands it one; false: it is to end. */
  boolean stopM(M m) {
    m.note.clear();
    sched.idleMs.push(m);
    m.local.parks.add(1);
    // Closing sets its flag, then wakes all in the list; we enter the list, then read the flag.
    if (sched.closing.isOver() && sched.idleMs.remove(m)) {
      return endsNow();
    }
    while (!m.note.sleep(sched.config.idleTime())) {
      if (endsIdle(m)) {
        return false;
      }
    }
    return m.takeHanded() || endsNow();
  }

  /** Wakes the idle ones with nothing in their hands: to their end. */
  void endIdle() {
    for (M m = sched.idleMs.pop(); m != null; m = sched.idleMs.pop()) {
      m.note.wakeup();
    }
  }

  private boolean endsNow() {
    count.decrementAndGet();
    return false;
  }

  /** Idle for long: it ends, unless it is the last one, or a waker has popped it and is about to wake it. */
  private boolean endsIdle(M m) {
    if (!countDownUnlessLast()) {
      return false;
    }
    if (sched.idleMs.remove(m)) {
      return true;
    }
    count.incrementAndGet();
    return false;
  }

  private boolean countDownUnlessLast() {
    int n = count.get();
    return n > 1 && (count.compareAndSet(n, n - 1) || countDownUnlessLast());
  }

  /** Starts a new M with the P in its hand; returns why that failed, null if it did not. */
  private @Nullable Throwable tryStart(@Nullable P p, boolean spinning) {
    M m = null;
    try {
      if (count.incrementAndGet() > sched.config.maxThreads()) {
        throw new IllegalStateException(
            "the limit of "
                + sched.config.maxThreads()
                + " threads is reached; Scheduler.builder().maxThreads(n) or heddle.maxthreads sets"
                + " it");
      }
      m = newM();
      if (p != null) {
        m.hand(p, spinning);
      }
      sched.config.starter().accept(m);
      return null;
    } catch (Throwable t) {
      count.decrementAndGet();
      if (m != null) {
        forget(m);
      }
      return t;
    }
  }

  private M newM() {
    Local local = spareLocals.poll();
    if (local == null) {
      local = sched.books.newLocal();
    }
    M m = new M(sched, lastNumber.incrementAndGet(), local);
    all.add(m);
    return m;
  }

  private void forget(M m) {
    all.remove(m);
    spareLocals.add(m.local);
  }

  private void complainOnce(Throwable failure) {
    if (complained.compareAndSet(false, true)) {
      sched.report(
          "another thread is needed and cannot be had; goroutines wait for one of the " + count(),
          failure);
    }
  }
}
