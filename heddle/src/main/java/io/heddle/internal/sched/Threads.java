package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;
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
   * the idle list, or is awake and will look for work, or has looked for the last time and is on its way to the list.
   *
   * Ordering: for the last of these, whoever could not have an M gives the P back, then looks at the idle list; an M
   * enters the idle list, then looks for an idle P and work (only if an M was ever refused). All volatile, so one of the
   * two sees the other.
   *
   * Checked by: ThreadsTest, NoThreadsTest.
   */
  private final Sched sched;
  private final Set<M> all = ConcurrentHashMap.newKeySet();

  /** Those that are there, and those that somebody tries to start: for the limit. */
  private final AtomicInteger count = new AtomicInteger();

  /** Those that have been started, never too many: the last of these does not end for being idle. */
  private final AtomicInteger started = new AtomicInteger();

  private final AtomicInteger lastNumber = new AtomicInteger();
  private final Queue<Local> spareLocals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean refused = new AtomicBoolean();

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
      refuse(p, spinning, failure);
    }
  }

  private void refuse(P p, boolean spinning, Throwable failure) {
    boolean isFirst = refused.compareAndSet(false, true);
    sched.spinning.giveBack(p, spinning);
    if (isFirst) {
      sched.report(
          "another thread is needed and cannot be had; goroutines wait for one of the " + count(),
          failure);
    }
    if (sched.idleMs.size() > 0) {
      sched.spinning.wakeP(); // one that came to the list after we looked there: see Ordering
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
    // Closing sets its flag, then wakes all who are in the list; we are in the list, then look at
    // the flag.
    if (sched.closing.isOver() && sched.idleMs.remove(m)) {
      return endsNow();
    }
    if (isNeededAfterAll() && sched.idleMs.remove(m)) {
      return true;
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

  /** For an M in the idle list: whether somebody wanted an M before it came there, and could not have one. */
  private boolean isNeededAfterAll() {
    if (!refused.get()) {
      return false;
    }
    VarHandle.fullFence(); // pairs with the fence in Ready.putGlobal
    return sched.spinning.hasIdleP() && sched.findRunnable.hasWork();
  }

  private boolean endsNow() {
    started.decrementAndGet();
    count.decrementAndGet();
    return false;
  }

  /** Idle for long: it ends, unless it is the last one, or a waker has popped it and is about to wake it. */
  private boolean endsIdle(M m) {
    if (!countDownUnlessLast()) {
      return false;
    }
    if (sched.idleMs.remove(m)) {
      count.decrementAndGet();
      return true;
    }
    started.incrementAndGet();
    return false;
  }

  private boolean countDownUnlessLast() {
    int n = started.get();
    return n > 1 && (started.compareAndSet(n, n - 1) || countDownUnlessLast());
  }

  /** Starts a new M with the P in its hand; returns why that failed, null if it did not. */
  private @Nullable Throwable tryStart(@Nullable P p, boolean spinning) {
    M m = null;
    try {
      if (count.incrementAndGet() > sched.config.maxThreads()) {
        throw new IllegalStateException(
            "the limit of "
                + sched.config.maxThreads()
                + " threads is reached; Scheduler.builder().maxThreads(n) or heddle.maxthreads sets it");
      }
      m = newM();
      if (p != null) {
        m.hand(p, spinning);
      }
      sched.config.starter().accept(m);
      started.incrementAndGet();
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
}
