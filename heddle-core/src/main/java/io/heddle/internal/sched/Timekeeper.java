package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.TimerHeap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs timers that are due, and lets one idle M, the timekeeper, sleep until the next timer is due
 * or a socket is ready (rules T1, T2, F2, F7).
 */
final class Timekeeper {
  /*
   * The keeper (short for timekeeper) is an idle M that is in the field keeper instead of the idle
   * list. It has no P, and sleeps with a time limit: on its note (an event for one thread), or in
   * the poller for sockets once the scheduler has one. A thread that takes the keeper out of the
   * field, by compare-and-set, must wake it; no other thread may wake it. When a timer is due or a
   * socket is ready, the keeper takes itself out; then no thread may wake it.
   *
   * Note and poller. Only the note says that the keeper was woken; an interrupt of the poller only
   * makes it leave the poller.
   *   Waker: 1. Take the keeper out of the field by compare-and-set. 2. If it is in the poller,
   *   interrupt the poller. 3. Wake its note.
   *   Keeper: 1. Write where it will sleep (KeeperSeat.inPoller). 2. Enter the field by
   *   compare-and-set. 3. Sleep. 4. Leave the poller or the note, for whatever reason. 5. Try to
   *   take itself out of the field. 6. If that fails, a waker has taken it: sleep on the note,
   *   which the waker wakes; then, if it was in the poller, consume exactly one interrupt.
   * The interrupt comes before the wake of the note, so it has happened when the keeper consumes
   * it. Interrupts and consumptions therefore match one to one, and no interrupt is left for the
   * next keeper. If a waker interrupts before the keeper is in the poller, the keeper leaves the
   * poller as soon as it enters. Interrupts are counted, because a keeper may consume its interrupt
   * late. The next keeper may be in the poller by then, and may have been interrupted, too.
   *
   * When the poller is opened, which happens once, a keeper that sleeps on its note is woken, to
   * sleep in the poller instead. A keeper that is not in the field yet sees the open poller after
   * it has entered the field (sleep).
   *
   * A waker gives the keeper a P (take) only if it can obtain no other M, or if the system has just
   * refused a thread. The reason is that no M watches the timers while the keeper has a P. Because
   * a waker may count on the keeper, the keeper looks for work after it has entered the field, as
   * an M in the idle list does. It also checks whether there are chores (Sched.doChores) each time
   * it has slept for SchedConfig.idleTime.
   *
   * Ordering, for timers.
   *   Thread that arms a timer: 1. Publish the heap's earliest time. 2. Read the keeper
   *   (onEarlierDeadline). If the keeper sleeps longer, wake it. If there is no keeper, wake an M
   *   if a P is idle.
   *   Keeper: 1. Read all heaps. 2. Enter the field. 3. Read all heaps again (sleep).
   * All accesses are volatile. Three cases:
   *   a. The keeper sees the timer.
   *   b. The other thread sees the keeper.
   *   c. The other thread sees that there is no keeper. If a P is idle, it wakes an M, and that M
   *      becomes the keeper if it finds nothing to do. If no P is idle, an M that later finds
   *      nothing to do becomes the keeper. Until then each M runs the timers of its own P, and
   *      sysmon, the monitor thread, looks at all heaps.
   *
   * Sockets: a goroutine that waits for a socket is counted before it steps off its M. That M
   * becomes the keeper if there is none and it finds nothing else to do. So there always is a
   * keeper, or an M at work that will become the keeper, will poll by itself, or is watched by
   * sysmon.
   *
   * The timers of a P that is removed are moved to another P. The move may run out of memory, which
   * must not happen while the world is stopped, so it follows the start. Until then the heap of the
   * removed P is in the list retired, from which Ms run its timers. If the move fails, the heap
   * remains there.
   *
   * Checked by: SleepTest, SleepersWithoutPTest, ManySleepersTest, TimekeeperTest, ChaosTest.
   */
  private final Sched sched;
  private final AtomicReference<@Nullable M> keeper = new AtomicReference<>();

  /** The heaps of removed Ps whose timers have not been moved to another P yet. */
  private final List<TimerHeap> retired = new CopyOnWriteArrayList<>();

  Timekeeper(Sched sched) {
    this.sched = sched;
  }

  /**
   * Returns the time of the earliest timer in all heaps; {@link TimerHeap#NEVER} if there is none.
   * The earliest timer may be one that was stopped.
   */
  long earliest() {
    long earliest = TimerHeap.NEVER;
    for (P p : sched.world.all()) {
      earliest = Math.min(earliest, p.timers.earliest());
    }
    if (!retired.isEmpty()) { // the check avoids the allocation of an iterator in the usual case
      for (TimerHeap heap : retired) {
        earliest = Math.min(earliest, heap.earliest());
      }
    }
    return earliest;
  }

  /** Whether a timer is due. */
  boolean isDue() {
    long earliest = earliest();
    return earliest != TimerHeap.NEVER && earliest <= Clock.now();
  }

  /** Whether there are timers, or goroutines that wait for sockets, and there is no keeper. */
  boolean isUnwatched() {
    return keeper.get() == null && (earliest() != TimerHeap.NEVER || sched.net.hasWaiters());
  }

  /** Whether the keeper sleeps in the poller. */
  boolean isKeptInPoller() {
    M m = keeper.get();
    return m != null && m.keeper.inPoller;
  }

  /** Whether {@code m} is the keeper, for observers. */
  boolean isKeeper(M m) {
    return keeper.get() == m;
  }

  /** Whether there is a keeper. */
  boolean isKept() {
    return keeper.get() != null;
  }

  /**
   * Fires the due timers of {@code heap}; returns false if none was due. {@code m}, the caller, is
   * in the scheduler with a P.
   */
  boolean runDue(M m, TimerHeap heap) {
    if (heap.earliest() == TimerHeap.NEVER) {
      return false;
    }
    long now = Clock.now();
    if (heap.earliest() > now) {
      return false;
    }
    m.markInScheduler(); // goroutines that timers make ready go to m's own P
    try {
      int n = heap.runDue(now);
      m.local.timers.add(n);
      sched.tracing.timers(m, n);
    } finally {
      boolean _ = m.consumeInScheduler();
    }
    return true;
  }

  /** Fires the due timers of removed Ps. {@code m}, the caller, is in the scheduler with a P. */
  void runRetired(M m) {
    for (TimerHeap heap : retired) {
      boolean _ = runDue(m, heap);
    }
  }

  /**
   * Ensures that an M is awake at the time {@code when}. Called after a timer was armed that is due
   * at that time, before all others in its heap.
   */
  void onEarlierDeadline(long when) {
    if (sched.driver != null) {
      sched.driver.timerArmed();
      return;
    }
    boolean pinned = VirtualThreads.pin(); // a goroutine in scheduler code must stay on its M
    try {
      M m = keeper.get();
      if (m == null) {
        sched.spinning.wakeP();
      } else if (when < m.keeper.until()) {
        wake(m);
      }
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
  }

  /**
   * Takes the keeper out of the field and returns it; the caller must wake it. Returns null if
   * there is no keeper, or another thread took it first.
   */
  @Nullable M take() {
    M m = keeper.get();
    return m != null && keeper.compareAndSet(m, null) ? m : null;
  }

  /**
   * Wakes the keeper, if there is one, and gives it no P. The woken M looks for work and timers
   * again, or ends.
   */
  void wake() {
    M m = take();
    if (m != null) {
      m.wakeUp();
    }
  }

  /** Wakes {@code m}, if it is still the keeper. */
  private void wake(M m) {
    if (keeper.compareAndSet(m, null)) {
      m.wakeUp();
    }
  }

  /**
   * Sleeps as the keeper, if there is no keeper and one is needed: there are timers, or goroutines
   * that wait for sockets. {@code m}, the caller, is about to sleep and has no P.
   *
   * @return true if {@code m} must not sleep now, because a waker has assigned a P, sockets are
   *     ready, or there is work and an idle P; false if {@code m} must enter the idle list
   */
  boolean sleepAsTimekeeper(M m) {
    if (sched.net.hasPendingEvents(m)) {
      return true; // events of an earlier poll; an error came before m could deliver them
    }
    for (; ; ) {
      long when = earliest();
      boolean isNeeded = when != TimerHeap.NEVER || (m.keeper.mayPoll && sched.net.hasWaiters());
      if (!isNeeded || sched.closing.isAllOver()) {
        return false;
      }
      if (when <= Clock.now()) {
        return sched.spinning.hasIdleP();
      }
      m.keeper.until(when);
      m.keeper.inPoller = sched.net.isOpenTo(m);
      if (!keeper.compareAndSet(null, m)) {
        m.keeper.inPoller = false; // m will sleep in the idle list, on its note
        return false;
      }
      try {
        sched.sysmon.onMAsleep();
        sleep(m, when);
      } finally {
        leaveTimekeeper(m); // even after an error
      }
      if (m.mailbox.hasP() || sched.net.hasPendingEvents(m) || hasToDo()) {
        return true;
      }
    }
  }

  /** Takes {@code m} out of the field, or waits for the waker that has done so. */
  private void leaveTimekeeper(M m) {
    if (!keeper.compareAndSet(m, null)) {
      m.mailbox.note.sleep(); // a waker has taken m out of the field, and is about to wake it
      m.mailbox.note.clear();
      if (m.keeper.inPoller) {
        sched.net.clearInterrupt();
      }
    }
    m.keeper.inPoller = false;
  }

  /**
   * Sleeps as the keeper, at most until {@code when}, and at most for {@code SchedConfig.idleTime}.
   * Returns at once if an event that would wake the keeper came before {@code m} entered the field,
   * because the thread that caused the event saw no keeper to wake.
   */
  private void sleep(M m, long when) {
    sched.closing.wakeClosersIfQuietAfterFence();
    if (earliest() < when
        || sched.net.isOpenTo(m) != m.keeper.inPoller
        || sched.closing.isAllOver()
        || hasToDo()) {
      return;
    }
    long nanos = Math.min(when - Clock.now(), sched.config.idleTime());
    if (!m.keeper.inPoller) {
      boolean _ = m.mailbox.note.sleep(nanos);
    } else if (nanos > 0) {
      sched.net.pollUntil(m, nanos);
    }
  }

  /** Whether there is work and an idle P for it. */
  private boolean hasToDo() {
    return sched.spinning.hasIdleP() && (sched.hasChores || sched.findRunnable.hasWork());
  }

  /**
   * Adds the heap of a P that will be removed to the list of retired heaps. Called before the world
   * is stopped, because it allocates: a failure during the stop would leave the world stopped.
   */
  void retire(TimerHeap heap) {
    retired.add(heap);
  }

  /** Moves the timers of removed Ps to {@code heap}. Called after the world has started again. */
  void mergeRetiredInto(TimerHeap heap) {
    retired.removeIf(
        each -> {
          each.moveAllTo(heap);
          return true;
        });
  }
}
