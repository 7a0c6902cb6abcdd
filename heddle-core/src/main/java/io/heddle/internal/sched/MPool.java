package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The Ms: made when needed, asleep on their notes when not, ended when idle for long (rule N4). */
final class MPool {
  /*
   * Invariant: until the scheduler is closed there is at least one M. So when another cannot be had, one is awake and will
   * look for work, or asleep in the idle list, or on its way there with its last look behind it.
   *
   * Ordering: that last case needs care on both sides. Who wants an M looks at the idle list after it has queued a
   * goroutine, and again after it has given a P back that it found no M for (Spinners.wakeP). An M that has entered the
   * list looks for work and an idle P once more. All are volatile accesses: one of the two sees the other.
   *
   * Checked by: MPoolTest, ThreadStartFailureTest, SchedulerStressTest.
   */

  /** How long not to try again after the system refused a thread, in nanoseconds: trying costs far more than a wake. */
  private static final long PAUSE = 10_000_000;

  private final Throwable atLimit = new IllegalStateException("the limit of threads is reached");

  private final Sched sched;
  private final Set<M> all = ConcurrentHashMap.newKeySet();

  /** Those that are there, and those that somebody tries to start: for the limit. */
  private final AtomicInteger reserved = new AtomicInteger();

  /** Those that have been started and are not about to end: the last of these does not end for being idle. */
  private final AtomicInteger count = new AtomicInteger();

  private final AtomicInteger lockedIdle = new AtomicInteger();
  private final AtomicInteger lastNumber = new AtomicInteger();
  private final Queue<MCounters> spareLocals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean complained = new AtomicBoolean();
  private volatile long pauseEnd = System.nanoTime();

  MPool(Sched sched) {
    this.sched = sched;
  }

  int count() {
    return count.get();
  }

  /** How many sleep: to be woken for anything, to keep the time, or for the one goroutine they are locked to. */
  int idle() {
    return sched.idleMs.size() + (sched.timekeeper.isKept() ? 1 : 0) + lockedIdle.get();
  }

  /** The one that may run {@code g} alone, which is locked to it. */
  M lockedTo(G g) {
    for (M m : all) {
      if (m.threadLock.holder() == g) {
        return m;
      }
    }
    throw new IllegalStateException("goroutine " + g.id() + " is locked, but to no M");
  }

  void lockedIdle(int change) {
    lockedIdle.addAndGet(change);
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

  /** Whether an M can be had, as far as one can tell: one is idle, or one more may be made. */
  boolean canObtainM() {
    if (!sched.idleMs.isEmpty() || sched.timekeeper.isKept()) {
      return true;
    }
    if (reserved.get() >= sched.config.maxThreads()) {
      complainOnce(
          "the limit of %d threads is reached and goroutines wait for one of them;"
              + " Scheduler.builder().maxThreads(n) or heddle.maxthreads sets it",
          sched.config.maxThreads(), null);
      return false;
    }
    return !isPausing();
  }

  /**
   * Gives a P that was taken to an idle M, to a new one, or else to the one that keeps the time. If there is none, the P is
   * idle again, nothing is lost, and the answer is false.
   */
  boolean startM(P p, boolean spinning) {
    if (wake(sched.idleMs.pop(), p, spinning)) {
      return true;
    }
    if (isPausing() && wake(sched.timekeeper.take(), p, spinning)) {
      return true;
    }
    Throwable failure = tryStart(p, spinning);
    if (failure == null) {
      return true;
    }
    if (failure != atLimit) {
      pauseEnd = System.nanoTime() + PAUSE;
      complainOnce(
          "a thread cannot be started; goroutines wait for one of the %d", count(), failure);
    }
    if (wake(sched.timekeeper.take(), p, spinning)) {
      return true;
    }
    sched.spinning.giveBack(p);
    sched.sysmon.wake(); // to try again
    return false;
  }

  /** With the P in its hand; false if there is no such M. */
  private static boolean wake(@Nullable M idle, P p, boolean spinning) {
    if (idle == null) {
      return false;
    }
    idle.mailbox.put(p, spinning);
    idle.wakeUp();
    return true;
  }

  private boolean isPausing() {
    return System.nanoTime() - pauseEnd < 0;
  }

  /** What an M does, from its start to its end. */
  void runM(M m) {
    m.local = takeLocal();
    m.keeper.mayPoll = sched.net.retain();
    sched.tracing.begin(m);
    m.acceptAssignedP();
    while (!sched.schedule.untilEnd(m)) {
      Thread.onSpinWait(); // after an error in the scheduler, which it has complained of
    }
    all.remove(m);
    sched.tracing.end(m);
    spareLocals.add(m.local);
    if (m.keeper.mayPoll) {
      sched.net.release();
    }
  }

  /** Sleeps, without a P, until somebody hands it one or there is work after all; false: it is to end. */
  boolean stopM(M m) {
    m.prepareToPark();
    sched.closing.lookAgain();
    long before = System.nanoTime();
    if (sched.timekeeper.sleepAsTimekeeper(m)) {
      m.search.idleSpin.slept(System.nanoTime() - before);
      P p = m.acceptAssignedP() ? null : sched.spinning.takeIdleP();
      if (p != null) {
        m.acquireP(p);
        sched.spinning.start(m); // so that somebody else keeps the time, once it has found work
      }
      sched.net.wakePending(m);
      return true;
    }
    sched.idleMs.push(m);
    try {
      return sleepIdle(m, before);
    } catch (Throwable t) {
      // It must not be handed a P while it does something else. If it cannot be taken out, somebody
      // has it, and wakes it, or there is no memory for that now.
      while (!sched.idleMs.remove(m) && !m.mailbox.note.sleep(PAUSE)) {}
      throw t;
    }
  }

  /** In the idle list: one last look, then to sleep. */
  private boolean sleepIdle(M m, long before) {
    sched.closing.checkQuiet();
    // Closing sets its flag, then wakes all in the list; we enter the list, then read the flag.
    if (sched.closing.isOver()) {
      sched.timekeeper.wake(); // it may be time for that one, too: its timers may be stopped ones
      if (sched.idleMs.remove(m)) {
        return end();
      }
    }
    if (sched.spinning.hasIdleP() && hasWork() && sched.idleMs.remove(m)) {
      return true; // without a P: it takes an idle one
    }
    sched.sysmon.onMAsleep();
    while (!m.mailbox.note.sleep(sched.config.idleTime())) {
      // Who ran out of stack outside could note a chore, and wake nobody.
      if (sched.hasChores && sched.spinning.hasIdleP() && sched.idleMs.remove(m)) {
        return true; // without a P: it takes an idle one
      }
      if (endsIdle(m)) {
        return false;
      }
    }
    m.search.idleSpin.slept(System.nanoTime() - before);
    return m.acceptAssignedP() || end();
  }

  /** Whether there is something to do, were it to keep the time. */
  private boolean hasWork() {
    return sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched();
  }

  /** Wakes the idle ones with nothing in their hands: to their end. */
  void releaseIdleMs() {
    sched.timekeeper.wake();
    for (M m = sched.idleMs.pop(); m != null; m = sched.idleMs.pop()) {
      m.mailbox.note.wakeup();
    }
  }

  private boolean end() {
    count.decrementAndGet();
    reserved.decrementAndGet();
    return false;
  }

  /** Idle for long: it ends, unless it is the last one, or a waker has popped it and is about to wake it. */
  private boolean endsIdle(M m) {
    if (!countDownUnlessLast()) {
      return false;
    }
    if (sched.idleMs.remove(m)) {
      reserved.decrementAndGet();
      return true;
    }
    count.incrementAndGet();
    return false;
  }

  private boolean countDownUnlessLast() {
    for (; ; ) {
      int n = count.get();
      if (n <= 1) {
        return false;
      }
      if (count.compareAndSet(n, n - 1)) {
        return true;
      }
    }
  }

  /** Starts a new M with the P in its hand; returns why that failed, null if it did not. Never throws. */
  private @Nullable Throwable tryStart(@Nullable P p, boolean spinning) {
    if (reserved.incrementAndGet() > sched.config.maxThreads()) {
      reserved.decrementAndGet();
      return atLimit;
    }
    M m = null;
    try {
      m = new M(sched, lastNumber.incrementAndGet());
      if (p != null) {
        m.mailbox.put(p, spinning);
      }
      all.add(m);
      sched.config.starter().accept(m);
      count.incrementAndGet(); // not before: an M must not end because of one that may never come
      return null;
    } catch (Throwable t) {
      if (m != null) {
        all.remove(m);
      }
      reserved.decrementAndGet();
      return t;
    }
  }

  /** An M that runs cannot do without: it waits for memory, like everybody else then. */
  private MCounters takeLocal() {
    int round = 0;
    for (; ; ) {
      try {
        MCounters spare = spareLocals.poll();
        return spare == null ? sched.books.newLocal() : spare;
      } catch (OutOfMemoryError e) {
        round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
      }
    }
  }

  /** Never throws: the caller may have a P in its hands. */
  private void complainOnce(String what, int n, @Nullable Throwable cause) {
    if (complained.compareAndSet(false, true)) {
      try {
        sched.logLater(what.replace("%d", Integer.toString(n)), cause);
      } catch (OutOfMemoryError e) {
        complained.set(false);
      }
    }
  }
}
