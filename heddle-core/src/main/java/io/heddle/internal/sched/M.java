package io.heddle.internal.sched;

import io.heddle.internal.jdk.Carrier;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.trace.EventTrack;
import io.heddle.internal.trace.SchedLatency;
import org.jspecify.annotations.Nullable;

/**
 * A machine: an OS thread that runs goroutines while it owns a P.
 *
 * <p>Unless a method says otherwise, only the M's own thread calls it: in the scheduler, or from a
 * goroutine that it carries.
 */
public final class M extends Carrier {
  /*
   * Invariant: p is null, or this M acquired it at epoch. Only P's word tells whether this M still
   * owns it.
   *
   * A goroutine that calls a method of its M is pinned on that M during the call (the JDK pins it
   * around execute), so the fields that it reads belong to its own carrier.
   *
   * field           what it is                            writer       other readers     mode
   * sched, number   its scheduler, its number there       constructor  all               final
   * slice           its time slices                       see Slice
   * mailbox         its note, and what its waker leaves   see Mailbox
   * threadLock      the goroutine it is tied to           see ThreadLock
   * call            marked calls its goroutine is in      see MarkedCall
   * search          memory of its searches for work       see WorkSearch
   * keeper          how it sleeps as the timekeeper       see KeeperSeat
   * runLoop         runs goroutine after goroutine        its M
   * slots           what it keeps during a row of runs    see RunSlots
   * lastSite        where it started its last goroutine   its M
   * local           its share of the counts               its M        all, summed    see Counter
   * track           where its events are recorded         trace        its M             plain (1)
   *                                                       session
   * current         the goroutine it runs or ran last     its M        thieves, sysmon   plain (2)
   * spinning        it is counted as searching            its M        observers         plain (2)
   * inUserCallback  it does chores, as a goroutine would  its M                          plain
   * p, epoch        the P it acquired last, and when      its M        sysmon,           plain (2)
   *                                                                    observers
   * inScheduler     P is in SCHED although a goroutine    its M                          plain
   *                 has just stepped off
   * osThread        the id that the system gives to it    its M        sysmon            volatile
   * (1) The M sees a new value at its next switch or soon after.
   * (2) Readers treat the value as a heuristic; a stale one costs time, never correctness.
   *
   * Which goroutine runs here is stored four times. current is authoritative for the scheduler; it
   * keeps its value after the goroutine has stepped off, for observers. RunLoop.running is null as
   * soon as the goroutine has stepped off, so that an error is attributed to the right code. The
   * carrier's continuation and the thread's carrierThread belong to the JDK, which mounts by them.
   */

  /**
   * If its P has timers, an M returns to the scheduler after this number of switches in a row. The
   * scheduler reads the clock, to see which timers are due; a reading costs about a tenth of a
   * switch.
   */
  private static final int MAX_RUNS_WITHOUT_CLOCK = 16;

  final Sched sched;
  final int number;
  final Slice slice = new Slice();
  final Mailbox<P, G> mailbox = new Mailbox<>();
  final ThreadLock<G> threadLock = new ThreadLock<>();
  final MarkedCall<P> call = new MarkedCall<>();
  final WorkSearch search = new WorkSearch(threadId());
  final KeeperSeat keeper = new KeeperSeat();
  final RunLoop runLoop;
  final RunSlots<G> slots = new RunSlots<>();
  final LastCreationSite lastSite = new LastCreationSite();

  /** The share of this M in the scheduler's counts. Taken when the M starts. */
  @SuppressWarnings("NullAway.Init")
  MCounters local;

  @Nullable EventTrack track;
  private @Nullable G current;
  boolean spinning;
  boolean inUserCallback;
  private @Nullable P p;
  private long epoch;
  private boolean inScheduler;
  private volatile int osThread;

  M(Sched sched, int number) {
    super("heddle-" + sched.name() + "-M" + number);
    this.sched = sched;
    this.number = number;
    this.runLoop = new RunLoop(this);
  }

  @Override
  public void run() {
    sched.threads.runM(this);
  }

  /**
   * Returns the id that the system gives to this thread; {@link OsThread#NONE} if not known yet.
   */
  int osThread() {
    return osThread;
  }

  @Override
  public boolean beginBlocking() {
    sched.syscalls.enter(this);
    return true;
  }

  @Override
  public void endBlocking() {
    if (!call.isInside()) {
      return;
    }
    if (Thread.currentThread() == this) {
      leaveCalls(); // its goroutine has stepped off in the middle of the call
    } else {
      sched.syscalls.exit(this);
    }
  }

  /**
   * Returns the M, of any scheduler, that runs the caller or is the caller; null if there is none.
   */
  public static @Nullable M ofCaller() {
    return VirtualThreads.carrier() instanceof M m ? m : null;
  }

  /**
   * Returns the goroutine that this M runs or ran last. The value is exact for this M and that
   * goroutine, and a heuristic for other threads.
   */
  @Nullable G current() {
    return current;
  }

  /** Prepares to sleep, and drops references that would keep a goroutine from the collector. */
  void prepareToPark() {
    mailbox.note.clear();
    current = null;
    Mounter.current().clearContinuation(this);
    cacheOsThreadId();
    local.parks.add(1);
    sched.tracing.park(this);
  }

  /**
   * Remembers the id that the system gives to this thread. Not called when the M starts, because an
   * error then would lose the P that is in the mailbox.
   */
  private void cacheOsThreadId() {
    if (osThread == OsThread.NONE) {
      osThread = OsThread.current();
    }
  }

  @Nullable P p() {
    return p;
  }

  /**
   * Wakes this M. Called by the thread that has taken the M out of the idle list or the keeper's
   * field.
   */
  void wakeUp() {
    if (keeper.inPoller) {
      sched.net.interrupt(); // before the note: the keeper consumes the interrupt after the note
    }
    mailbox.note.wakeup();
  }

  /**
   * Acquires the P that the waker left in the mailbox. False if the waker left none; an M that
   * slept in the idle list must then end.
   */
  boolean acceptAssignedP() {
    P assigned = mailbox.takeP();
    if (assigned == null) {
      return false;
    }
    acquireP(assigned);
    spinning = mailbox.isSpinning();
    if (spinning) {
      sched.tracing.spin(this);
    }
    return true;
  }

  /** Returns the P of this M and the epoch, encoded for a trace; 0 if this M has no P. */
  long hasP() {
    P mine = p;
    return mine == null ? 0 : EventTrack.has(mine.number, epoch);
  }

  /** Makes a P that was taken for this M its own; Go's {@code acquirep}. */
  void acquireP(P taken) {
    flushTicks();
    sched.tracing.acquired(this, p, epoch, taken);
    p = taken;
    epoch = taken.epoch();
    taken.setM(this);
    slice.beginWithP();
    sched.sysmon.refreshCoarseTime();
  }

  /**
   * Enters the scheduler. Returns the P if this M still owns it: until {@link #leaveScheduler} no
   * other thread can take it. Returns null if the P was retaken or is stopped.
   */
  @Nullable P enterScheduler() {
    P mine = p;
    return mine != null && (inScheduler || mine.enter(epoch)) ? mine : null;
  }

  /** Leaves the scheduler for user code: from here on the P can be retaken or stopped. */
  void leaveScheduler(P mine) {
    assert !inScheduler;
    mine.leave(epoch);
  }

  /**
   * Whether this M owns {@code mine} and that P is in state USER. Then goroutines may run with it
   * until another thread takes it.
   */
  boolean isUsing(P mine) {
    return mine == p && mine.isInUser(epoch);
  }

  /** Whether this M may run the next goroutine of the P at once, without entering the scheduler. */
  boolean mayTakeOver(P mine) {
    return !inScheduler
        && !slice.isOver()
        && threadLock.holder() == null
        && !slice.isGlobalTurn()
        && (slots.runs() < MAX_RUNS_WITHOUT_CLOCK || mine.timers.earliest() == TimerHeap.NEVER)
        && isUsing(mine);
  }

  /**
   * Returns how many slices this M has begun with its present P. Callable by any thread;
   * approximate.
   */
  int ticksWithP() {
    return slice.ticksWithP();
  }

  /** Adds the slices that this M has begun with its present P to the total of that P. */
  private void flushTicks() {
    P mine = p;
    if (mine != null) {
      mine.addTicks(slice.ticksWithP());
    }
    slice.restartTicksWithP();
  }

  /**
   * Whether the running goroutine is asked to yield, has not failed to yield in this slice, and is
   * in no {@linkplain MarkedCall marked call}.
   */
  boolean isAskedToYield() {
    return slice.asksToYield() && !call.isInside();
  }

  void startRun(G g) {
    g.lastRun = slots.next();
    current = g;
    SchedLatency latency = sched.latency;
    if (latency != null) {
      latency.runs(g, g.id);
    }
  }

  /** Begins a row of runs; called on the way out of the scheduler. */
  void startRuns() {
    slots.begin(sched.sysmon.coarseTime());
  }

  /** Ends a row of runs; called on the way back into the scheduler. */
  void endRuns() {
    local.switches.add(slots.end());
  }

  /**
   * Marks this M as being inside the scheduler (P in SCHED), so that {@link Ready} uses its P
   * directly.
   */
  void markInScheduler() {
    inScheduler = true;
  }

  /** Clears the mark of {@link #markInScheduler}; true if it was set. */
  boolean consumeInScheduler() {
    boolean was = inScheduler;
    inScheduler = false;
    return was;
  }

  /**
   * Whether this M owns {@code mine} no longer. If {@link #enterScheduler} failed and this method
   * returns false, the P was stopped. The caller then tries again, because a stop does not last
   * long. Only the epoch decides: the state may have changed since the failed attempt.
   */
  boolean hasLost(P mine) {
    return mine.epoch() != epoch;
  }

  /** Whether this M owns a P, be it running or stopped. */
  boolean hasClaim() {
    P mine = p;
    return mine != null && !hasLost(mine);
  }

  /**
   * Whether the goroutine of this M runs without a P, outside of a marked call. For sysmon, as a
   * heuristic.
   */
  boolean runsWithoutP() {
    return current != null && !call.isInside() && !hasClaim();
  }

  /**
   * Waives this M's claim to a stopped P, so that any M may acquire that P once the world runs
   * again. False if the P is no longer stopped.
   */
  boolean dropClaim(P mine) {
    if (!mine.tryDisown(epoch)) {
      return false;
    }
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    p = null;
    return true;
  }

  /**
   * Makes the P of this M idle; Go's {@code releasep}. The caller has set the bit of that P in
   * {@link Sched#idlePs}.
   */
  void releaseP(P mine) {
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    mine.toIdle();
    p = null;
  }

  /** Forgets the P that was retaken, or that this M is about to hand to another M. */
  void forgetP() {
    P mine = p;
    if (mine != null && track != null) {
      if (hasLost(mine)) {
        sched.tracing.lost(this, mine, epoch);
      } else {
        sched.tracing.released(this, mine, epoch);
      }
    }
    flushTicks();
    p = null;
  }

  /**
   * Records that the goroutine on this M begins a marked call. Returns true if the goroutine was in
   * no marked call before.
   */
  boolean enterCall() {
    boolean isFirst = call.enter();
    if (isFirst) {
      sched.tracing.callBegins(this);
    }
    return isFirst;
  }

  /**
   * Records that the goroutine on this M ends a marked call; see {@link MarkedCall#exit} for the
   * result.
   */
  boolean exitCall() {
    boolean isLast = call.exit();
    if (isLast) {
      sched.tracing.callEnds(this);
    }
    return isLast;
  }

  /**
   * Ends all marked calls of this M, because its goroutine has stepped off in the middle of them.
   */
  void leaveCalls() {
    if (call.isInside()) {
      sched.tracing.callEnds(this);
    }
    call.reset();
  }

  /**
   * Locks this M to {@code g}: the M runs no other goroutine until {@code g} has unlocked as often
   * as it has locked.
   */
  void lock(G g) {
    if (threadLock.lock(g)) {
      mailbox.note.clear();
    }
  }

  /**
   * Sleeps until another M hands over the goroutine that this M is locked to, together with a P.
   */
  void sleepLocked() {
    sched.tracing.park(this);
    local.parks.add(1);
    sched.threads.lockedIdle(1);
    try {
      sched.sysmon.onMAsleep();
      mailbox.note.sleep();
    } finally {
      sched.threads.lockedIdle(-1);
    }
    mailbox.note.clear();
  }
}
