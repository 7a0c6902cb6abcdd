package io.heddle.internal.sched;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.base.Counter;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.poll.NetPoller;
import io.heddle.internal.poll.PollDesc;
import io.heddle.internal.timer.Deadline;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A scheduler's goroutines that wait for sockets, and who looks for those that can go on (rules T2, F2, S7). */
final class NetPolling {
  /*
   * Each scheduler has a poller of its own, from the first wait on: what is ready then is found by an M that can run it, no
   * scheduler looks after another's sockets, and one that closes takes nothing along that others need.
   *
   * Who looks: an M that has found nothing to run, before it steals (poll); if there is nobody with nothing to run, sysmon
   * (pollLate); and if there is nothing to do, the one M that also keeps the time waits in the poller (Timekeeper). While
   * that one waits there nobody else looks.
   *
   * What a look finds stays in the M's own events until it wakes them (deliver): in between it gets itself a P, so that
   * they go to the ring of that P. An M without a P gives them to all.
   *
   * A goroutine counts as waiting from before it enters the poller until it has come back. It is counted by the M it runs on,
   * twice: waits and ends. Reading all ends first, then all waits, gives as many as there were at some moment in between, or
   * more; so 0 means that nobody waited then who was known to the reader. Whoever began to wait since then has an M
   * underneath, which comes to look for work, or is pinned, which sysmon sees.
   *
   * The poller's memory and descriptors are given back when nobody can use them any more: holders are the scheduler,
   * until it is closed, and each M, from its start to its end. An M does not end for being idle while a goroutine waits
   * (Timekeeper.sleepAsTimekeeper). Who starts after the last has let go has no poller, and waits with the JDK's.
   *
   * Checked by: NetPollingTest, SocketPollPatchTest, SocketChurnTest.
   */

  /** After so many units of sysmon's coarse time, of a millisecond each, without a look sysmon does (S7). */
  private static final int LATE = 10;

  private static final BlockReason IO_WAIT = () -> "IO wait";

  /** Wakes a goroutine that waits for as long as it wanted to. There is one for each reader and writer, armed again and again. */
  private static final class TimeLimit extends Deadline {
    private final PollDesc desc;
    private final boolean write;

    TimeLimit(PollDesc desc, boolean write) {
      this.desc = desc;
      this.write = write;
    }

    @Override
    protected void fire(long generation) {
      desc.stop(write); // if that is another wait by now, it ends for nothing
    }

    static TimeLimit of(PollDesc desc, boolean write) {
      if (desc.kept(write) instanceof TimeLimit known) {
        return known;
      }
      TimeLimit made = new TimeLimit(desc, write);
      desc.keep(write, made);
      return made;
    }
  }

  private final Sched sched;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Object opening = new Object();
  private final Counter latePolls = new Counter();
  private volatile @Nullable NetPoller poller;
  private volatile boolean cannotOpen;
  private volatile int lastLook;
  private NetPoller.@Nullable Events sysmonsEvents;

  NetPolling(Sched sched) {
    this.sched = sched;
  }

  /** For an M that starts: whether it may use the poller, until it {@linkplain #release lets go}. */
  boolean retain() {
    for (; ; ) {
      int n = holders.get();
      if (n == 0) {
        return false;
      }
      if (holders.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }

  /** An M that may use it ends, or the scheduler is closed. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      NetPoller open = poller;
      if (open != null) {
        SocketHooks.forget(this);
        open.close();
      }
    }
  }

  /** Whether goroutines wait; those that come back are counted for a moment longer. */
  boolean hasWaiters() {
    return poller != null && sched.books.netWaiters() > 0;
  }

  /** Whether {@code m} would wait in the poller, if it had to wait. */
  boolean isOpenTo(M m) {
    return m.keeper.mayPoll && poller != null;
  }

  /**
   * The calling goroutine, which runs on {@code m}, waits until a descriptor may be ready, it is interrupted, its time is
   * over, or for no reason.
   *
   * @param nanos how long at most; 0 is for ever
   * @return false: it has to wait elsewhere
   */
  boolean awaitReady(
      M m,
      NetPoller open,
      int fd,
      @Nullable Object owner,
      boolean write,
      long nanos,
      @Nullable BooleanSupplier isOpen) {
    StackHeadroom.ensure();
    PollDesc desc = open.watch(fd, owner);
    if (desc == null) {
      return false;
    }
    m.local.netWaits.add(1);
    try {
      return switch (desc.enter(write)) {
        case READY -> true;
        case TAKEN -> false;
        case ENTERED -> {
          park(desc, write, nanos, isOpen);
          yield true;
        }
      };
    } finally {
      countEnd();
    }
  }

  private void park(PollDesc desc, boolean write, long nanos, @Nullable BooleanSupplier isOpen) {
    TimeLimit limit = nanos > 0 ? TimeLimit.of(desc, write) : null;
    try {
      if (limit != null) {
        boolean _ = limit.arm(sched.timersOfCaller(), sched.timeAfter(nanos), 0);
      }
      // Whoever closes a socket says so there, and then looks who waits here.
      if ((isOpen == null || isOpen.getAsBoolean()) && !desc.isForgotten()) {
        Mounter.current().park(IO_WAIT);
      }
    } finally {
      desc.leave(write);
      if (limit != null) {
        boolean _ = limit.stop();
      }
    }
  }

  private void countEnd() {
    M m = sched.currentM(); // another one, maybe
    if (m != null) {
      m.local.netEnds.add(1);
    }
  }

  /** Wakes who waits for {@code fd} here: it is about to be closed. */
  void stop(int fd, boolean write) {
    NetPoller open = poller;
    PollDesc desc = open == null ? null : open.find(fd);
    if (desc != null) {
      desc.stop(write);
    }
  }

  /** The poller, opened if it is the first time; null if there is none to be had. For a goroutine that runs on {@code m}. */
  @Nullable NetPoller open(M m) {
    if (!m.keeper.mayPoll || cannotOpen) {
      return null;
    }
    NetPoller open = poller;
    return open == null ? openFirst() : open;
  }

  /** Whether there was none because of what may change: there were no descriptors for it. */
  boolean mayOpenLater(M m) {
    return m.keeper.mayPoll && !cannotOpen;
  }

  private @Nullable NetPoller openFirst() {
    synchronized (opening) { // for goroutines alone, so those that wait for it hold up nobody
      NetPoller open = poller;
      if (open == null && !cannotOpen) {
        open = SocketHooks.newPoller();
        if (open == null) { // without descriptors now, the next one tries again
          cannotOpen = !SocketHooks.areAvailable();
          return null;
        }
        try {
          SocketHooks.remember(this); // before anybody can wait in it
        } catch (Throwable t) {
          open.close();
          throw t;
        }
        poller = open;
        sched.timekeeper.wake(); // to wait in the poller from now on
      }
      return open;
    }
  }

  /** For an M in the scheduler that has found nothing to run on {@code p}: the first of those that can go on now, if any (F2). */
  @Nullable G poll(M m, P p) {
    NetPoller open = poller;
    if (open == null || !isWorthALook(m) || !looking.compareAndSet(false, true)) {
      return null;
    }
    boolean found;
    try {
      found = look(open, m, 0);
    } finally {
      looking.set(false);
    }
    if (!found) {
      return null;
    }
    wakePending(m);
    G g = p.runQueue.takeNext();
    return g == null ? p.runQueue.takeHead() : g;
  }

  private boolean isWorthALook(M m) {
    return m.keeper.mayPoll && !sched.timekeeper.isKeptInPoller() && hasWaiters();
  }

  /** For the M that keeps the time, without a P. */
  void pollUntil(M m, long nanos) {
    NetPoller open = poller;
    if (open != null) {
      boolean _ = look(open, m, nanos);
    }
  }

  private boolean look(NetPoller open, M m, long nanos) {
    NetPoller.Events events = m.local.events(open);
    if (!events.isEmpty()) {
      wakePending(m); // there was an error in between
    }
    m.local.netpolls.add(1);
    boolean found = open.look(events, nanos);
    lastLook = sched.sysmon.coarseTime();
    if (found) {
      sched.tracing.poll(m, events.size());
    }
    return found;
  }

  /** Whether {@code m} has found some that it has not woken yet. */
  boolean hasPendingEvents(M m) {
    NetPoller.Events events = m.local.events;
    return events != null && !events.isEmpty();
  }

  /** Wakes those that {@code m} has found: for its P, if it has one. */
  void wakePending(M m) {
    NetPoller open = poller;
    NetPoller.Events events = m.local.events;
    if (open == null || events == null || events.isEmpty()) {
      return;
    }
    boolean hasP = m.p() != null;
    if (hasP) {
      m.markInScheduler(); // those it makes ready go to its own P
    }
    try {
      open.wake(events);
    } finally {
      if (hasP) {
        boolean _ = m.consumeInScheduler();
      }
    }
  }

  /** For sysmon: looks if nobody has for a while (S7); whether it found some. */
  boolean pollLate() {
    NetPoller open = poller;
    if (open == null
        || sched.sysmon.coarseTime() - lastLook < LATE
        || sched.timekeeper.isKeptInPoller()
        || !hasWaiters()) {
      return false;
    }
    NetPoller.Events events = sysmonsEvents;
    if (events == null) {
      events = open.newEvents();
      sysmonsEvents = events;
    }
    open.wake(events); // if there was an error in between
    latePolls.add(1);
    lastLook = sched.sysmon.coarseTime();
    boolean found = open.look(events, 0);
    if (found) {
      sched.tracing.poll(null, events.size());
    }
    open.wake(events);
    return found;
  }

  long latePolls() {
    return latePolls.get();
  }

  /** The M that waits in the poller is to come out. From anywhere; never throws. */
  void interrupt() {
    NetPoller open = poller;
    if (open != null) {
      open.interrupt();
    }
  }

  /** For that M, when it has come out. */
  void clearInterrupt() {
    NetPoller open = poller;
    if (open != null) {
      open.clearInterrupt();
    }
  }
}
