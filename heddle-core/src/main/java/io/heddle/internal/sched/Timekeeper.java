package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.TimerHeap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs timers that are due, and lets one idle M sleep until the next one is, or a socket is ready (rules T1, T2, F2, F7).
 */
final class Timekeeper {
  /*
   * The keeper is an idle M that is not in the idle list: it has no P and sleeps with a time limit, on its note, or in the
   * poller once the scheduler has one. Whoever takes it out of the field, by compare-and-set, may wake it; if it does so
   * itself, when its time has come or a socket is ready, nobody may.
   *
   * Note and poller: the note alone says that it was woken; to interrupt the poller only makes it look. The waker, who has
   * taken it, interrupts the poller, then wakes the note. The keeper comes out of the poller for whatever reason, and tries to
   * take itself. If somebody else has it, it sleeps on the note, which is woken by then or in a moment, and takes the
   * interrupt back, which stands before the note. So there is one interrupt for one taking back, none is left for the next
   * keeper, and a waker that comes before the keeper is in the poller has it come out at once. Interrupts are counted, since the
   * next keeper may be there, and be taken, before this one has taken its own back. Where it will
   * sleep it says before it enters the field. When the poller is opened, which happens once, a keeper that sleeps on its note is
   * woken; one that is not in the field yet sees that it has been opened when it is.
   *
   * It is the last to be asked when somebody wants an M, since then nobody keeps the time for a while; but it is asked
   * (take) rather than leave a P without one. So it looks for work after it has entered the field, like an M in the idle
   * list, and at chores after each idleTime.
   *
   * Ordering: who arms a timer publishes the heap's earliest time, then looks at the keeper (earlier); an M becomes the
   * keeper, then looks at all heaps again (keep). All are volatile: either the keeper sees the timer, or the other sees the
   * keeper, or that there is none. In the last case it wakes an M if there is an idle P, which ends up here. If there is no
   * idle P, some M will find nothing to do one day, and comes here; until then each M runs the timers of its own P, and
   * sysmon looks at them.
   *
   * A P that is removed leaves its timers to another. They are moved after the world has started again, since there may be
   * no memory for it; until then, if need be for ever, its heap is among the left.
   *
   * Sockets: a goroutine counts as waiting before it steps off its M, and that M comes here if it finds nothing else to
   * do. So there is a keeper, or an M at work that will become one, or look by itself, or be seen by sysmon.
   *
   * Checked by: SleepTest, SleepersWithoutPTest, ManySleepersTest, TimekeeperTest, ChaosTest.
   */
  private final Sched sched;
  private final AtomicReference<@Nullable M> keeper = new AtomicReference<>();
  private final List<TimerHeap> left = new CopyOnWriteArrayList<>();

  Timekeeper(Sched sched) {
    this.sched = sched;
  }

  /** The time of the earliest timer of all, or one that was stopped; {@link TimerHeap#NEVER} if there is none. */
  long earliest() {
    long earliest = TimerHeap.NEVER;
    for (P p : sched.world.all()) {
      earliest = Math.min(earliest, p.timers.earliest());
    }
    if (!left.isEmpty()) { // else no memory is needed
      for (TimerHeap heap : left) {
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

  /** Whether there are timers, or goroutines that wait for sockets, and nobody sleeps until the first is due or ready. */
  boolean isUnwatched() {
    return keeper.get() == null && (earliest() != TimerHeap.NEVER || sched.net.hasWaiters());
  }

  /** Whether somebody waits for the first socket to be ready. */
  boolean isKeptInPoller() {
    M m = keeper.get();
    return m != null && m.keeper.inPoller;
  }

  /** To look at. */
  boolean isKeeper(M m) {
    return keeper.get() == m;
  }

  boolean isKept() {
    return keeper.get() != null;
  }

  /** For an M in the scheduler, with a P: fires what is due in the heap; false if nothing was. */
  boolean runDue(M m, TimerHeap heap) {
    if (heap.earliest() == TimerHeap.NEVER) {
      return false;
    }
    long now = Clock.now();
    if (heap.earliest() > now) {
      return false;
    }
    m.markInScheduler(); // those it makes ready go to its own P
    try {
      int n = heap.runDue(now);
      m.local.timers.add(n);
      sched.tracing.timers(m, n);
    } finally {
      boolean _ = m.consumeInScheduler();
    }
    return true;
  }

  /** The same for Ps that are gone. */
  void runLeft(M m) {
    for (TimerHeap heap : left) {
      boolean _ = runDue(m, heap);
    }
  }

  /** Somebody has armed a timer for {@code when}, and it is the first of its heap. */
  void onEarlierDeadline(long when) {
    if (sched.driver != null) {
      sched.driver.timerArmed();
      return;
    }
    boolean pinned = VirtualThreads.pin(); // with a P in its hands it must not step off
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

  /** The M that sleeps until a timer is due, for somebody who needs an M and has no other: it is to be woken. */
  @Nullable M take() {
    M m = keeper.get();
    return m != null && keeper.compareAndSet(m, null) ? m : null;
  }

  /** To its end, or to look again. */
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
   * For an M that is about to sleep, without a P: it keeps the time if there are timers, or goroutines that wait for
   * sockets, and nobody else does.
   *
   * @return whether it has been handed a P, or has found sockets that are ready, or there is something to do and a P to do
   *     it with; otherwise the M is to sleep like the others
   */
  boolean sleepAsTimekeeper(M m) {
    if (sched.net.hasPendingEvents(m)) {
      return true; // there was an error before it could wake them
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
        m.keeper.inPoller = false; // who wakes it finds it on its note
        return false;
      }
      try {
        sched.sysmon.onMAsleep();
        sleep(m, when);
      } finally {
        leaveTimekeeper(m); // also after an error: nobody must wait for it there
      }
      if (m.mailbox.hasP() || sched.net.hasPendingEvents(m) || hasToDo()) {
        return true;
      }
    }
  }

  private void leaveTimekeeper(M m) {
    if (!keeper.compareAndSet(m, null)) {
      m.mailbox.note.sleep(); // somebody has it, and wakes it now
      m.mailbox.note.clear();
      if (m.keeper.inPoller) {
        sched.net.clearInterrupt();
      }
    }
    m.keeper.inPoller = false;
  }

  /** As the keeper; not if what it would be woken for has happened before it was. */
  private void sleep(M m, long when) {
    sched.closing.checkQuiet();
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

  /** Before the world is stopped, in which {@code heap} loses its P: there may be no memory for it. */
  void retire(TimerHeap heap) {
    left.add(heap);
  }

  /** The world has started again. */
  void mergeRetiredInto(TimerHeap heap) {
    left.removeIf(
        each -> {
          each.moveAllTo(heap);
          return true;
        });
  }
}
