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

/**
 * Lets goroutines of a scheduler wait for sockets, and asks the scheduler's poller ({@link
 * NetPoller}) which sockets are ready (rules T2, F2, S7).
 *
 * <p>The file is long because one argument covers the three kinds of threads that poll, and the end
 * of the poller.
 */
final class NetPolling {
  /*
   * Each scheduler has a poller of its own, which is opened when a goroutine first waits for a
   * socket. Therefore an M that polls can run the goroutines that it finds, and a scheduler that
   * closes its poller leaves the sockets of other schedulers alone.
   *
   * Three kinds of threads poll:
   *   1. An M that has found nothing to run, before it steals (poll).
   *   2. Sysmon, if no M has polled for a while (pollLate).
   *   3. The timekeeper, if there is nothing to do: it sleeps in the poller (Timekeeper). While the
   *      timekeeper does that, the others do not poll.
   *
   * Events that an M has polled stay in its own buffer until it delivers them (wakePending). Before
   * the delivery, an M without a P tries to acquire one, so that the goroutines go to the queue of
   * that P. Without a P, they go to the global queue.
   *
   * A goroutine counts as waiting from before it enters the poller until it has come back. The M on
   * which it runs counts the beginning (MCounters.netWaits) and the end (netEnds). A reader sums
   * all ends first and all beginnings after that. The difference is at least the number of waiting
   * goroutines at some moment in between. So a difference of 0 proves that no goroutine known to
   * the reader was waiting at that moment. A goroutine that began to wait later is still on an M.
   * That M will look for work itself, or the goroutine is pinned, and sysmon sees that.
   *
   * The poller is closed, which releases its memory and descriptors, when no thread can use it any
   * more. Its holders are the scheduler, until it is closed, and each M, from its start to its end.
   * While a goroutine waits, the timekeeper does not end for being idle
   * (Timekeeper.sleepAsTimekeeper). An M that starts after the last holder has released the poller
   * must not use it; its goroutines wait with the JDK's poller.
   *
   * Checked by: NetPollingTest, SocketPollPatchTest, SocketChurnTest.
   */

  /** Sysmon polls if no M has polled for this many units of coarse time, of 1.05 ms each (S7). */
  private static final int LATE_POLL_TICKS = 10;

  private static final BlockReason IO_WAIT = () -> "IO wait";

  /**
   * A timer that ends the wait of a goroutine when its time limit is over. Each descriptor has at
   * most one TimeLimit for reading and one for writing; each wait sets it again.
   */
  private static final class TimeLimit extends Deadline {
    private final PollDesc desc;
    private final boolean write;

    TimeLimit(PollDesc desc, boolean write) {
      this.desc = desc;
      this.write = write;
    }

    @Override
    protected void fire(long generation) {
      desc.stop(write); // if the next wait has begun by now, it ends spuriously
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

  /** The number of holders of the poller: the scheduler and its Ms. */
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Whether an M is in {@link #poll} now; other Ms need not poll at the same time. */
  private final AtomicBoolean polling = new AtomicBoolean();

  /** The lock under which the poller is opened. */
  private final Object opening = new Object();

  private final Counter latePolls = new Counter();

  /** The poller; null before the first goroutine waits for a socket. */
  private volatile @Nullable NetPoller poller;

  /** Whether a poller cannot be opened on this system, so that no goroutine tries it again. */
  private volatile boolean cannotOpen;

  /** The time of the last poll, in {@link Sysmon#coarseTime()}. */
  private volatile int lastPoll;

  /** The buffer for the events that sysmon polls. */
  private NetPoller.@Nullable Events sysmonsEvents;

  NetPolling(Sched sched) {
    this.sched = sched;
  }

  /**
   * Registers a starting M as a holder of the poller, until {@link #release}. Returns false if all
   * holders have released the poller; then the M must not use it.
   */
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

  /** Releases the poller for an M that ends, or for the scheduler when it is closed. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      NetPoller open = poller;
      if (open != null) {
        SocketHooks.forget(this);
        open.close();
      }
    }
  }

  /**
   * Whether goroutines wait for sockets. A goroutine that comes back still counts as waiting for a
   * moment.
   */
  boolean hasWaiters() {
    return poller != null && waiters() > 0;
  }

  /**
   * Returns how many goroutines wait for a socket, or a few more. If this returns 0, then at some
   * moment during the call no goroutine known to the caller waited: see the class comment.
   */
  long waiters() {
    long ends = sched.registry.sum(local -> local.netEnds);
    return sched.registry.sum(local -> local.netWaits) - ends;
  }

  /** Whether {@code m}, when it is the timekeeper, must sleep in the poller and not on its note. */
  boolean isOpenTo(M m) {
    return m.keeper.mayPoll && poller != null;
  }

  /**
   * Parks the calling goroutine, which runs on {@code m}, until a descriptor may be ready, the
   * goroutine is interrupted, or the time is over. May return spuriously.
   *
   * @param owner the object that owns {@code fd}: see {@link NetPoller#watch}
   * @param write whether to wait until {@code fd} can be written, rather than read
   * @param nanos the time limit; 0 is none
   * @param isOpen tells whether the socket is still open; null if that need not be checked
   * @return false if this poller cannot help, so that the goroutine must wait with the JDK's poller
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
      // A thread that closes a socket first marks it as closed, and then calls stop for its
      // waiters. So either this check sees the mark, or stop finds this goroutine.
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

  /** Counts the end of a wait, on the M that now runs the calling goroutine. */
  private void countEnd() {
    M m = sched.currentM(); // perhaps another M than before the park
    if (m != null) {
      m.local.netEnds.add(1);
    }
  }

  /**
   * Ends the wait of a thread for {@code fd}, because {@code fd} is about to be closed.
   *
   * @param write whether to end the wait to write, rather than the wait to read
   */
  void stop(int fd, boolean write) {
    NetPoller open = poller;
    PollDesc desc = open == null ? null : open.find(fd);
    if (desc != null) {
      desc.stop(write);
    }
  }

  /**
   * Returns the poller, and opens it the first time; null if none can be opened, or if {@code m}
   * must not use it. Called by a goroutine that runs on {@code m}.
   */
  @Nullable NetPoller open(M m) {
    if (!m.keeper.mayPoll || cannotOpen) {
      return null;
    }
    NetPoller open = poller;
    return open == null ? openFirst() : open;
  }

  /**
   * Whether a later {@link #open} may succeed although the last one failed, because the process
   * lacked descriptors.
   */
  boolean mayOpenLater(M m) {
    return m.keeper.mayPoll && !cannotOpen;
  }

  /**
   * Opens the poller, unless another goroutine has opened it meanwhile, and returns it. Returns
   * null if none can be opened now.
   */
  private @Nullable NetPoller openFirst() {
    synchronized (opening) { // only goroutines enter, so a wait for it blocks no M
      NetPoller open = poller;
      if (open == null && !cannotOpen) {
        open = SocketHooks.newPoller();
        if (open == null) { // if only descriptors are missing, the next goroutine tries again
          cannotOpen = !SocketHooks.areAvailable();
          return null;
        }
        try {
          SocketHooks.remember(this); // before a goroutine can wait in it
        } catch (Throwable t) {
          open.close();
          throw t;
        }
        poller = open;
        sched.timekeeper.wake(); // so that the timekeeper sleeps in the poller instead
      }
      return open;
    }
  }

  /**
   * Polls the sockets, and makes the goroutines ready that wait for ready ones (F2). Returns one of
   * them, which {@code m} must run. Returns null if no goroutine became ready. Also returns null,
   * without a poll, if there is no poller that {@code m} may use, if no goroutine waits, or if
   * another M polls. Called by an M in the scheduler that has found nothing to run on {@code p}.
   */
  @Nullable G poll(M m, P p) {
    NetPoller open = poller;
    if (open == null || !isWorthPolling(m) || !polling.compareAndSet(false, true)) {
      return null;
    }
    boolean found;
    try {
      found = look(open, m, 0);
    } finally {
      polling.set(false);
    }
    if (!found) {
      return null;
    }
    wakePending(m);
    G g = p.runQueue.takeNext();
    return g == null ? p.runQueue.takeHead() : g;
  }

  private boolean isWorthPolling(M m) {
    return m.keeper.mayPoll && !sched.timekeeper.isKeptInPoller() && hasWaiters();
  }

  /**
   * Sleeps in the poller for at most {@code nanos}, and leaves the events that it finds in the
   * buffer of {@code m}. Called by the timekeeper, which has no P.
   */
  void pollUntil(M m, long nanos) {
    NetPoller open = poller;
    if (open != null) {
      boolean _ = look(open, m, nanos);
    }
  }

  /**
   * Polls once, for at most {@code nanos}, into the buffer of {@code m}. Returns whether there are
   * events.
   */
  private boolean look(NetPoller open, M m, long nanos) {
    NetPoller.Events events = m.local.events(open);
    if (!events.isEmpty()) {
      wakePending(m); // left by an error before the M could deliver them
    }
    m.local.netpolls.add(1);
    boolean found = open.look(events, nanos);
    lastPoll = sched.sysmon.coarseTime();
    if (found) {
      sched.tracing.poll(m, events.size());
    }
    return found;
  }

  /** Whether {@code m} has polled events that it has not delivered yet. */
  boolean hasPendingEvents(M m) {
    NetPoller.Events events = m.local.events;
    return events != null && !events.isEmpty();
  }

  /**
   * Delivers the events that {@code m} has polled: makes goroutines ready, on its P if it has one.
   */
  void wakePending(M m) {
    NetPoller open = poller;
    NetPoller.Events events = m.local.events;
    if (open == null || events == null || events.isEmpty()) {
      return;
    }
    boolean hasP = m.p() != null;
    if (hasP) {
      m.markInScheduler(); // so that the goroutines go to its own P
    }
    try {
      open.wake(events);
    } finally {
      if (hasP) {
        boolean _ = m.consumeInScheduler();
      }
    }
  }

  /** Polls if no M has polled for a while (S7); true if sockets were ready. Called by sysmon. */
  boolean pollLate() {
    NetPoller open = poller;
    if (open == null
        || sched.sysmon.coarseTime() - lastPoll < LATE_POLL_TICKS
        || sched.timekeeper.isKeptInPoller()
        || !hasWaiters()) {
      return false;
    }
    NetPoller.Events events = sysmonsEvents;
    if (events == null) {
      events = open.newEvents();
      sysmonsEvents = events;
    }
    open.wake(events); // events that an error kept sysmon from delivering
    latePolls.add(1);
    lastPoll = sched.sysmon.coarseTime();
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

  /** Makes the M that sleeps in the poller leave it. Callable from anywhere; never throws. */
  void interrupt() {
    NetPoller open = poller;
    if (open != null) {
      open.interrupt();
    }
  }

  /**
   * Consumes one interrupt of the poller, so that it does not wake the next M there. Called by the
   * M that has left the poller; see {@link Timekeeper}.
   */
  void clearInterrupt() {
    NetPoller open = poller;
    if (open != null) {
      open.clearInterrupt();
    }
  }
}
