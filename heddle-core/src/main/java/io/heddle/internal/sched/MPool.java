package io.heddle.internal.sched;

import io.heddle.internal.base.Backoff;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes Ms when they are needed, lets them sleep when they are not, and ends those that were idle
 * for long (rule N4).
 *
 * <p>The file is long because a quarter of it is the argument why some M looks at each submitted
 * goroutine.
 */
final class MPool {
  /*
   * Invariant: until the scheduler is closed there is at least one M. If a submitter can obtain no
   * M, then at least one M (a) is awake and will look for work, or (b) has entered the idle list by
   * now, or (c) has had its last look at the queues and is about to enter the idle list.
   *
   * Ordering, for case (c).
   *   Submitter: 1. Queue the goroutine. 2. Look at the idle list. 3. If it is empty and no M can
   *   be started, make the P idle again. 4. Look at the idle list once more (Spinners.wakeP).
   *   M: 1. Enter the idle list. 2. Look for work and an idle P once more. 3. Sleep.
   * All are volatile accesses, so one of the two sees the other: the submitter finds the M, or the
   * M finds the work and the idle P.
   *
   * The numbers of Ms and of sleeping Ms are stored in several places. Each answers one question:
   *   all                  which Ms are there? Authoritative for observers; also Ms being started.
   *   reserved             may one more be started? Counts Ms that exist and attempts to start one,
   *                        so that the limit holds before an M is in all.
   *   count                may this M end? Counts Ms that were started and are not about to end.
   *                        An M that is about to end decrements it by compare-and-set, unless it
   *                        is the last.
   *   Sched.idleMs         which M can be woken for any work? Authoritative for the Ms in it.
   *   Timekeeper.keeper    which M sleeps until the next timer or socket? It is not in idleMs.
   *   lockedIdle           how many Ms sleep until the goroutine they are locked to can run? Only
   *                        a count, because the Ms are found by that goroutine (lockedTo).
   * While no M works, all.size() == count == idle(); internal.inspect.Invariants checks this.
   *
   * Checked by: MPoolTest, ThreadStartFailureTest, SchedulerStressTest.
   */

  /**
   * For how long, after the system refused a thread, a new M is only the last resort: a failed
   * attempt costs far more than waking an M.
   */
  private static final long REFUSED_PAUSE_NANOS = 10_000_000;

  /**
   * How long an M that had an error while in the idle list sleeps between its attempts to leave it.
   */
  private static final long LEAVE_LIST_PAUSE_NANOS = 10_000_000;

  /**
   * A warning is logged when all but one part in this number of the limit on threads is used: at
   * 80 %.
   */
  private static final int WARN_BELOW_LIMIT = 5;

  private final Throwable atLimit = new IllegalStateException("the limit of threads is reached");

  private final Throwable inBackground =
      new IllegalStateException("a background thread must not start a thread");

  private final Sched sched;
  private final Set<M> all = ConcurrentHashMap.newKeySet();

  /**
   * The number of Ms that exist, plus the attempts to start one. An attempt that makes this number
   * larger than {@code maxThreads} starts no M.
   */
  private final AtomicInteger reserved = new AtomicInteger();

  /** Ms that were started and are not about to end. The last one does not end for being idle. */
  private final AtomicInteger count = new AtomicInteger();

  private final AtomicInteger lockedIdle = new AtomicInteger();
  private final AtomicInteger lastNumber = new AtomicInteger();
  private final Queue<MCounters> spareLocals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean hasLogged = new AtomicBoolean();
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /**
   * The limit on the number of Ms. Written by the thread that watches the memory limit of the
   * container, read by all threads.
   */
  private volatile int maxThreads;

  /** Whether {@link #follow} may change the limit. */
  volatile boolean followsMemory;

  /** The end of the pause that began when the system last refused a thread: see isPausing. */
  private volatile long pauseEnd = System.nanoTime();

  MPool(Sched sched) {
    this.sched = sched;
    this.maxThreads = sched.config.maxThreads();
  }

  int maxThreads() {
    return maxThreads;
  }

  /**
   * Changes the limit, if it follows the memory of the container. If there are more Ms than a lower
   * limit allows, the surplus Ms stay until they end for being idle.
   */
  void follow(int newMaxThreads) {
    if (followsMemory) {
      maxThreads = newMaxThreads;
    }
  }

  int count() {
    return count.get();
  }

  /** Returns how many Ms sleep: in the idle list, as the timekeeper, or locked to a goroutine. */
  int idle() {
    return sched.idleMs.size() + (sched.timekeeper.isKept() ? 1 : 0) + lockedIdle.get();
  }

  /** Returns the M that {@code g} is locked to. */
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

  /** Returns the Ms that have been made and have not ended. */
  Set<M> all() {
    return all;
  }

  /**
   * Starts the first M. Throws if the system refuses a thread, so that the caller cannot make a
   * scheduler without an M.
   */
  void startFirst() {
    Throwable failure = tryStart(null, false);
    if (failure != null) {
      throw new IllegalStateException(
          "scheduler " + sched.name() + " cannot start a thread", failure);
    }
  }

  /**
   * Whether {@link #startM} seems likely to obtain an M: one is idle, or one more may be started.
   */
  boolean canObtainM() {
    return !sched.idleMs.isEmpty()
        || sched.timekeeper.isKept()
        || (!isAtLimit() && !isPausing() && !wouldBeInBackground());
  }

  /**
   * If the limit of threads is reached, logs once that goroutines wait because of it. Never throws.
   */
  void reportIfAtLimit() {
    if (isAtLimit()) {
      logOnce(
          "the limit of %d threads is reached and goroutines wait for one of them;"
              + " Scheduler.builder().maxThreads(n) or heddle.maxthreads sets it",
          maxThreads, null);
    }
  }

  /**
   * Whether an M that the caller starts would inherit the low priority of a background M, and must
   * not. Then sysmon, which has normal priority, starts the M.
   */
  private boolean wouldBeInBackground() {
    return !sched.config.background() && Sched.isCallerInBackground();
  }

  private boolean isAtLimit() {
    return reserved.get() >= maxThreads;
  }

  /**
   * Gives {@code p}, which the caller has acquired, to an idle M, a new M, or else the timekeeper
   * (the idle M that waits for the next timer or socket). For a while after the system has refused
   * a thread, tries the timekeeper before a new M. If no M can be obtained, makes {@code p} idle
   * again and returns false.
   *
   * @param spinning whether the caller has counted the M as spinning (searching for work)
   */
  boolean startM(P p, boolean spinning) {
    if (wake(sched.idleMs.pop(), p, spinning)) {
      return true;
    }
    if (isPausing() && wake(sched.timekeeper.take(), p, spinning)) {
      return true;
    }
    Throwable failure = wouldBeInBackground() ? inBackground : tryStart(p, spinning);
    if (failure == null) {
      return true;
    }
    if (failure != atLimit && failure != inBackground) {
      pauseEnd = System.nanoTime() + REFUSED_PAUSE_NANOS;
      logOnce("a thread cannot be started; goroutines wait for one of the %d", count(), failure);
    }
    if (wake(sched.timekeeper.take(), p, spinning)) {
      return true;
    }
    sched.spinning.giveBack(p);
    sched.sysmon.wake(); // sysmon tries again
    return false;
  }

  /** Wakes {@code idle} with {@code p} in its mailbox; false if {@code idle} is null. */
  private static boolean wake(@Nullable M idle, P p, boolean spinning) {
    if (idle == null) {
      return false;
    }
    idle.mailbox.put(p, spinning);
    idle.wakeUp();
    return true;
  }

  /** Whether the system refused a thread in the last {@link #REFUSED_PAUSE_NANOS}. */
  private boolean isPausing() {
    return System.nanoTime() - pauseEnd < 0;
  }

  /**
   * The body of the thread of {@code m}: prepares it, runs {@link ScheduleLoop} until the M must
   * end, and releases what the M held.
   */
  void runM(M m) {
    if (sched.config.background()) {
      m.lowerPriority();
    }
    m.local = takeLocal();
    m.keeper.mayPoll = sched.net.retain();
    sched.tracing.begin(m);
    m.acceptAssignedP();
    while (!sched.schedule.untilEnd(m)) {
      Thread.onSpinWait(); // after an error in the scheduler, which untilEnd has logged
    }
    all.remove(m);
    sched.tracing.end(m);
    spareLocals.add(m.local);
    if (m.keeper.mayPoll) {
      sched.net.release();
    }
  }

  /**
   * Lets {@code m}, which has no P, sleep; Go's {@code stopm}. {@code m} sleeps as the timekeeper
   * if there are timers or sockets to wait for and no other timekeeper, else in the idle list. The
   * method returns true when a waker has handed {@code m} a P. In two cases it may also return true
   * while {@code m} has no P; then {@code m} must acquire an idle P or sleep again:
   *
   * <ul>
   *   <li>The last look before the sleep, or a periodic check, found work or chores.
   *   <li>{@code m} was the timekeeper, and a timer is due or a socket is ready.
   * </ul>
   *
   * @return false if the M must end
   */
  boolean stopM(M m) {
    m.prepareToPark();
    sched.closing.wakeClosersIfQuiet();
    long before = System.nanoTime();
    if (sched.timekeeper.sleepAsTimekeeper(m)) {
      m.search.idleSpin.slept(System.nanoTime() - before);
      P p = m.acceptAssignedP() ? null : sched.spinning.takeIdleP();
      if (p != null) {
        m.acquireP(p);
        // A spinning M that finds work wakes another M, which becomes the timekeeper if it finds
        // nothing to do.
        sched.spinning.start(m);
      }
      sched.net.wakePending(m);
      return true;
    }
    sched.idleMs.push(m);
    try {
      return sleepIdle(m, before);
    } catch (Throwable t) {
      // This M must not be in the idle list while it does something else. If remove fails, then
      // either a waker has popped this M and is about to wake it, or there is no memory for the
      // removal.
      while (!sched.idleMs.remove(m) && !m.mailbox.note.sleep(LEAVE_LIST_PAUSE_NANOS)) {}
      throw t;
    }
  }

  /**
   * Lets {@code m}, which is in the idle list, look for work once more and then sleep; false if
   * {@code m} must end.
   */
  private boolean sleepIdle(M m, long before) {
    sched.closing.wakeClosersIfQuietAfterFence();
    // Shutdown sets its flag and then wakes all Ms in the list. This M has entered the list, and
    // reads the flag after that. So it is woken, or it sees the flag.
    if (sched.closing.isOver()) {
      sched.timekeeper.wake(); // the timekeeper, too, must see whether to end
      if (sched.idleMs.remove(m)) {
        return end();
      }
    }
    if (sched.spinning.hasIdleP() && hasWork() && sched.idleMs.remove(m)) {
      return true; // without a P: ScheduleLoop acquires an idle one
    }
    sched.sysmon.onMAsleep();
    while (!m.mailbox.note.sleep(sched.config.idleTime())) {
      // Chores are rare work, such as a submission that ran out of stack. A thread that lacked the
      // stack to wake an M has only set hasChores, so the M checks it each time idleTime has
      // passed.
      if (sched.hasChores && sched.spinning.hasIdleP() && sched.idleMs.remove(m)) {
        return true; // without a P: ScheduleLoop acquires an idle one
      }
      if (endsIdle(m)) {
        return false;
      }
    }
    m.search.idleSpin.slept(System.nanoTime() - before);
    return m.acceptAssignedP() || end();
  }

  /** Whether there is work, or timers or sockets that no M watches. */
  private boolean hasWork() {
    return sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched();
  }

  /**
   * Wakes the Ms in the idle list with empty mailboxes, which makes them end. Also wakes the
   * timekeeper, which then sees whether it must end.
   */
  void releaseIdleMs() {
    sched.timekeeper.wake();
    for (M m = sched.idleMs.pop(); m != null; m = sched.idleMs.pop()) {
      m.mailbox.note.wakeup();
    }
  }

  /** Takes the calling M out of the counts of Ms. Returns false, as {@link #stopM} must then. */
  private boolean end() {
    count.decrementAndGet();
    reserved.decrementAndGet();
    return false;
  }

  /**
   * Lets {@code m} end after a long idle time, unless it is the last M or a waker has popped it
   * from the idle list. Returns whether {@code m} must end.
   */
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

  /** Decrements {@link #count}, unless that is 1 or less; then returns false. */
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

  /**
   * Starts a new M with {@code p} in its mailbox. Returns the failure; null if there is none. Never
   * throws.
   */
  private @Nullable Throwable tryStart(@Nullable P p, boolean spinning) {
    int max = maxThreads;
    int number = reserved.incrementAndGet();
    if (number > max) {
      reserved.decrementAndGet();
      return atLimit;
    }
    if (number < max && number >= max - max / WARN_BELOW_LIMIT) {
      warnOnce(number, max);
    }
    M m = null;
    try {
      m = new M(sched, lastNumber.incrementAndGet());
      if (p != null) {
        m.mailbox.put(p, spinning);
      }
      all.add(m);
      sched.config.starter().accept(m);
      // Count the M only after its start. An idle M may end once it is not the last, and it must
      // not rely on an M that may still fail to start.
      count.incrementAndGet();
      return null;
    } catch (Throwable t) {
      if (m != null) {
        all.remove(m);
      }
      reserved.decrementAndGet();
      return t;
    }
  }

  /**
   * Returns counters for an M that starts. The M cannot run without counters, so this method waits
   * until there is memory.
   */
  private MCounters takeLocal() {
    int round = 0;
    for (; ; ) {
      try {
        MCounters spare = spareLocals.poll();
        return spare == null ? sched.registry.newLocal() : spare;
      } catch (OutOfMemoryError e) {
        round = Backoff.STATE_CHANGE.pause(round, Sched.OS_YIELD);
      }
    }
  }

  /** Warns, but only once. Never throws, because the caller may own a P. */
  private void warnOnce(int number, int max) {
    if (hasWarned.compareAndSet(false, true)) {
      try {
        sched.warnLater(
            number
                + " of at most "
                + max
                + " threads are used; a dump shows what blocks them,"
                + " and heddle.maxthreads sets the limit");
      } catch (OutOfMemoryError e) {
        hasWarned.set(false);
      }
    }
  }

  /**
   * Logs a shortage of threads, but only the first one. Never throws, because the caller may own a
   * P.
   */
  private void logOnce(String what, int n, @Nullable Throwable cause) {
    if (hasLogged.compareAndSet(false, true)) {
      try {
        sched.logLater(what.replace("%d", Integer.toString(n)), cause);
      } catch (OutOfMemoryError e) {
        hasLogged.set(false);
      }
    }
  }
}
