package io.heddle.internal.sched;

import io.heddle.internal.jdk.Carrier;
import io.heddle.internal.jdk.OsPriority;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.part.KeeperSeat;
import io.heddle.internal.part.LastCreationSite;
import io.heddle.internal.part.Mailbox;
import io.heddle.internal.part.MarkedCall;
import io.heddle.internal.part.RunSlots;
import io.heddle.internal.part.Slice;
import io.heddle.internal.part.ThreadLock;
import io.heddle.internal.policy.RetakePolicy;
import io.heddle.internal.policy.WorkSearch;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.trace.EventTrack;
import org.jspecify.annotations.Nullable;

/**
 * A machine: an OS thread that runs goroutines while it owns a P.
 *
 * <p>Unless a method says otherwise, only the M's own thread calls it: in the scheduler, or from a
 * goroutine that it carries.
 *
 * <p>The file is long because a third of it is its table of fields and the rules of its P.
 */
public final class M extends Carrier {
  /*
   * Invariant: the field p is null, or it is the P that this M acquired last, at the epoch in the
   * field epoch. An epoch identifies one ownership of a P (see P, States). Only the word of that P,
   * its current epoch and state, tells whether this M still owns it.
   *
   * A goroutine that calls a method of its M is pinned on that M during the call, for example
   * because the JDK pins it around execute. So the fields that it reads belong to its own carrier.
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
   * local           its counters: see MCounters           its M        all, summed    see Counter
   * track           where its events are recorded         trace        its M             plain (1)
   *                                                       session
   * current         the goroutine it runs or ran last     its M        thieves, sysmon   plain (2)
   * spinning        it is counted as searching            its M        observers         plain (2)
   * inUserCallback  it does chores (Sched.doChores)       its M                          plain
   * p, epoch        the P it acquired last, and when      its M        sysmon,           plain (2)
   *                                                                    observers
   * inScheduler     its P is in SCHED already: see        its M                          plain
   *                 markInScheduler
   * osThread        the id that the system gives to it    its M        sysmon            volatile
   * (1) The M sees a new value at its next switch or soon after.
   * (2) Readers treat the value as a heuristic; a stale one costs time, never correctness.
   *
   * Which goroutine runs here is stored four times. current is authoritative for the scheduler; it
   * keeps its value after the goroutine has stepped off, for observers. RunLoop.running is null as
   * soon as the goroutine has stepped off, so that an error is attributed to the right code. The
   * carrier's continuation and the thread's carrierThread belong to the JDK, which sets them when
   * it mounts the thread.
   */

  /**
   * The number of runs in a row after which an M returns to the scheduler if its P has timers. The
   * scheduler then reads the clock to see which timers are due. The M does not return after each
   * run, because a reading of the clock costs about a tenth of a switch.
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

  /** What this M counts and records by itself. Set when the thread of this M begins to run. */
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

  /** Returns the scheduler of this M. */
  public Sched sched() {
    return sched;
  }

  /**
   * Returns the M, of any scheduler, that runs the caller or is the caller; null if there is none.
   */
  public static @Nullable M ofCaller() {
    return VirtualThreads.carrier() instanceof M m ? m : null;
  }

  /**
   * Returns how much CPU time this M has used since the last call of this method; 0 if that is not
   * known. The caller charges the result to a goroutine. {@link RunLoop} drops what was used in the
   * scheduler.
   */
  long advanceCpu() {
    return slots.cpu.advance(this);
  }

  /**
   * Returns the CPU time of {@code g} if it runs on this M and CPU times are exact; else -1. Also
   * -1 if this M switches goroutines so often that no consistent reading succeeds.
   */
  long cpuTimeOf(G g) {
    return slots.cpu.timeOf(g, this, g::chargedNanos);
  }

  /**
   * Returns the goroutine that this M runs or ran last; null if it has run none since its start, or
   * since it last slept as an idle M. The value is exact for this M and that goroutine, and a
   * heuristic for other threads.
   */
  @Nullable G current() {
    return current;
  }

  /** Prepares to sleep, and drops references that would keep a goroutine from the collector. */
  void prepareToPark() {
    mailbox.note.clear();
    current = null;
    cacheOsThreadId();
    local.parks.add(1);
    sched.tracing.park(this);
  }

  /**
   * Stores the id that the system gives to this thread, unless it is stored already. Called before
   * a sleep and not when the M starts, because an error at the start would lose the P that is in
   * the mailbox.
   */
  private void cacheOsThreadId() {
    if (osThread == OsThread.NONE) {
      osThread = OsThread.current();
    }
  }

  /**
   * Lowers the priority of this thread in the operating system. Never throws, because there may be
   * a P in the mailbox. The thread id is needed at once: see {@link RetakePolicy#waitsForCpu}.
   */
  void lowerPriority() {
    try {
      boolean _ = OsPriority.lower();
      cacheOsThreadId();
    } catch (Throwable t) {
      sched.logLater("a background thread keeps its normal priority", t);
    }
  }

  /**
   * Returns the P that this M acquired last; null if the M has given that P up or forgotten it.
   * The M may have lost the P since: see {@link #hasLost}.
   */
  @Nullable P p() {
    return p;
  }

  /**
   * Wakes this M. Called by the thread that has taken the M out of the idle list, or out of the
   * field {@code Timekeeper.keeper}.
   */
  void wakeUp() {
    if (keeper.inPoller) {
      sched.net.interrupt(); // first, because the woken M consumes the interrupt
    }
    mailbox.note.wakeup();
  }

  /**
   * Acquires the P that the waker left in the mailbox, and returns true. Returns false if the waker
   * left none; an M that slept in the idle list must then end.
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

  /**
   * Returns the number of the P of this M, and the epoch at which the M acquired that P, in one
   * word for a trace; 0 if this M has no P.
   */
  long hasP() {
    P mine = p;
    return mine == null ? 0 : EventTrack.has(mine.number, epoch);
  }

  /** Makes {@code taken}, which was acquired for this M, the P of this M; Go's {@code acquirep}. */
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
   * Enters the scheduler: moves the P of this M to state SCHED. Then no other thread can take the P
   * until {@link #leaveScheduler}. Returns the P; null if this M has none, or if the P was retaken
   * or is stopped.
   */
  @Nullable P enterScheduler() {
    P mine = p;
    return mine != null && (inScheduler || mine.enter(epoch)) ? mine : null;
  }

  /**
   * Leaves the scheduler for user code: moves the P to state USER, in which it can be retaken or
   * stopped.
   */
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

  /**
   * Whether this M may run the next goroutine of {@code mine} at once, without entering the
   * scheduler.
   */
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
   * Whether the running goroutine must yield. It must if sysmon has ended its slice, it has not
   * failed to yield in this slice, and it is in no {@linkplain MarkedCall marked call}.
   */
  boolean isAskedToYield() {
    return slice.asksToYield() && !call.isInside();
  }

  void startRun(G g) {
    g.lastRun = slots.next();
    current = g;
  }

  /**
   * Begins a row of runs: goroutines that this M runs one after another without entering the
   * scheduler. Called on the way out of the scheduler.
   */
  void startRuns() {
    slots.begin(sched.sysmon.coarseTime());
  }

  /** Ends a row of runs, and counts them. Called on the way back into the scheduler. */
  void endRuns() {
    local.switches.add(slots.end());
  }

  /**
   * Marks this M as inside the scheduler: its P is in the state SCHED. {@link Ready} then queues a
   * goroutine on that P and need not enter the scheduler first.
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
   * Whether this M no longer owns {@code mine}, its former P. If {@link #enterScheduler} failed and
   * this method returns false, the P is stopped because the world stops. The caller then tries
   * again, because a stop does not last long. Only the epoch decides: the state may have changed
   * since the failed attempt.
   */
  boolean hasLost(P mine) {
    return mine.epoch() != epoch;
  }

  /** Whether this M owns a P, even one that is stopped (see {@link StopTheWorld}). */
  boolean hasClaim() {
    P mine = p;
    return mine != null && !hasLost(mine);
  }

  /**
   * Whether the goroutine of this M runs without a P, although it is in no {@linkplain MarkedCall
   * marked call}. Called by sysmon without synchronization, so the answer may be out of date.
   */
  boolean runsWithoutP() {
    return current != null && !call.isInside() && !hasClaim();
  }

  /**
   * Waives this M's claim to a stopped P, so that any M may acquire that P once the world runs
   * again. Returns false, with no effect, if the P is no longer stopped.
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
   * Makes the P of this M idle; Go's {@code releasep}. The caller has already marked that P as idle
   * in {@link Sched#idlePs}.
   */
  void releaseP(P mine) {
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    mine.toIdle();
    p = null;
  }

  /**
   * Forgets the P of this M: it was retaken or removed, or this M is about to hand it to another M.
   */
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
   * Records that the goroutine on this M begins a {@linkplain MarkedCall marked call}. Returns true
   * if the goroutine was in no marked call before.
   */
  boolean enterCall() {
    boolean isFirst = call.enter();
    if (isFirst) {
      sched.tracing.callBegins(this);
    }
    return isFirst;
  }

  /**
   * Records that the goroutine on this M ends a marked call. Returns true if that was its outermost
   * one; see {@link MarkedCall#exit}.
   */
  boolean exitCall() {
    boolean isLast = call.exit();
    if (isLast) {
      sched.tracing.callEnds(this);
    }
    return isLast;
  }

  /**
   * Ends all {@linkplain MarkedCall marked calls} of this M (calls that were announced as
   * blocking), because its goroutine has unmounted in the middle of them.
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
