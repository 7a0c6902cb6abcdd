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
   * The keeper is an idle M that is in the field keeper instead of the idle list. It has no P, and
   * sleeps with a time limit: on its note, or in the poller once the scheduler has one. A thread
   * that takes the keeper out of the field, by compare-and-set, and only that thread, may wake the
   * keeper. The keeper also takes itself out, when its time has come or a socket is ready; then no
   * thread may wake it.
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
   * it. Interrupts and consumptions therefore match one to one, and none is left for the next
   * keeper. A waker that interrupts before the keeper is in the poller makes it leave at once.
   * Interrupts are counted, because the next keeper may be in the poller, and be taken, before this
   * one has consumed its own.
   *
   * When the poller is opened, which happens once, a keeper that sleeps on its note is woken, to
   * sleep in the poller instead. A keeper that is not in the field yet sees the open poller after
   * it has entered the field (sleep).
   *
   * The keeper is the last M to be chosen for a P, because then no M keeps the time for a while.
   * But the keeper is chosen (take) if a P would be left without an M otherwise. Therefore the
   * keeper looks for work after it has entered the field, like an M in the idle list, and at chores
   * after each idleTime.
   *
   * Ordering, for timers.
   *   Thread that arms a timer: 1. Publish the heap's earliest time. 2. Read the keeper
   *   (onEarlierDeadline). If the keeper sleeps longer, wake it. If there is no keeper, wake an M
   *   if a P is idle.
   *   Keeper: 1. Read all heaps. 2. Enter the field. 3. Read all heaps again (sleep).
   * All are volatile. Either the keeper sees the timer, or the other thread sees the keeper or sees
   * that there is none. In the last case it wakes an M if there is an idle P, and that M becomes
   * the keeper if it finds nothing to do. If no P is idle, some M will find nothing to do later and
   * come here; until then each M runs the timers of its own P, and sysmon looks at all heaps.
   *
   * Sockets: a goroutine counts as waiting before it steps off its M, and that M comes here if it
   * finds nothing else to do. So there is a keeper, or an M at work that will become the keeper,
   * will poll by itself, or is watched by sysmon.
   *
   * A P that is removed leaves its timers to another P. They are moved after the world has started
   * again, because there may be no memory for it. Until then the heap of the removed P is in
   * retired, where Ms run its timers; if memory stays short, it remains there.
   *
   * Checked by: SleepTest, SleepersWithoutPTest, ManySleepersTest, TimekeeperTest, ChaosTest.
   */
  private final Sched sched;
  private final AtomicReference<@Nullable M> keeper = new AtomicReference<>();

  /** Heaps of removed Ps that still have timers. */
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
    if (!retired.isEmpty()) { // usually it is empty, and an iterator takes memory
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

  boolean isKept() {
    return keeper.get() != null;
  }

  /**
   * Fires the due timers of {@code heap}; false if none was due. For an M in the scheduler with a
   * P.
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

  /** Fires the due timers of removed Ps. For an M in the scheduler with a P. */
  void runRetired(M m) {
    for (TimerHeap heap : retired) {
      boolean _ = runDue(m, heap);
    }
  }

  /**
   * Makes sure that an M is awake at {@code when}. Called after a timer was armed that is due then
   * and is the first of its heap.
   */
  void onEarlierDeadline(long when) {
    if (sched.driver != null) {
      sched.driver.timerArmed();
      return;
    }
    boolean pinned = VirtualThreads.pin(); // in the scheduler the goroutine must stay on its M
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

  /** Takes the keeper out of the field; the caller must wake it. Null if there is none. */
  @Nullable M take() {
    M m = keeper.get();
    return m != null && keeper.compareAndSet(m, null) ? m : null;
  }

  /**
   * Wakes the keeper if there is one, with an empty mailbox: the keeper looks for work and timers
   * again, or ends.
   */
  void wake() {
    M m = take();
    if (m != null) {
      m.wakeUp();
    }
  }

  private void wake(M m) {
    if (keeper.compareAndSet(m, null)) {
      m.wakeUp();
    }
  }

  /**
   * Sleeps as the keeper if there are timers, or goroutines that wait for sockets, and there is no
   * keeper. For an M that is about to sleep, without a P.
   *
   * @return true if a waker has assigned a P, or sockets are ready, or there is work and an idle P;
   *     false if the M must sleep in the idle list
   */
  boolean sleepAsTimekeeper(M m) {
    if (sched.net.hasPendingEvents(m)) {
      return true; // left by an error before m could deliver them
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
        m.keeper.inPoller = false; // its waker must not interrupt the poller
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

  private void leaveTimekeeper(M m) {
    if (!keeper.compareAndSet(m, null)) {
      m.mailbox.note.sleep(); // a waker has taken it, and wakes it now
      m.mailbox.note.clear();
      if (m.keeper.inPoller) {
        sched.net.clearInterrupt();
      }
    }
    m.keeper.inPoller = false;
  }

  /**
   * Sleeps as the keeper. Returns at once if an event that would wake the keeper came before {@code
   * m} entered the field.
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

  private boolean hasToDo() {
    return sched.spinning.hasIdleP() && (sched.hasChores || sched.findRunnable.hasWork());
  }

  /**
   * Keeps {@code heap} after its P is removed. Called before the world is stopped, because it may
   * fail for lack of memory.
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
