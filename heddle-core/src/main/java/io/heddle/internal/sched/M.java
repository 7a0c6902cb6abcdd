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
   * A goroutine that calls a method is pinned on this M during the call (the JDK pins it around
   * execute), so the fields that it reads belong to its own carrier.
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
   * If its P has timers, an M returns to the scheduler after this number of switches in a row,
   * which reads the clock. Reading it costs about a tenth of a switch.
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

  /** Taken when the M starts. */
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
   * Returns the goroutine it runs or ran last. Exact for this M and that goroutine, else a
   * heuristic.
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

  /** Not called at the start of the M, when an error would lose the P that is in its mailbox. */
  private void cacheOsThreadId() {
    if (osThread == OsThread.NONE) {
      osThread = OsThread.current();
    }
  }

  @Nullable P p() {
    return p;
  }

  /**
   * Wakes it. Called by the thread that has taken it out of the idle list or the keeper's field.
   */
  void wakeUp() {
    if (keeper.inPoller) {
      sched.net.interrupt(); // before the note: the keeper consumes the interrupt after the note
    }
    mailbox.note.wakeup();
  }

  /** Acquires the P that the waker left. False if it left none: then this M must end. */
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

  /** Returns the P it has and its epoch, encoded for a trace. */
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
   * Whether this M owns the P and it is in user code: goroutines may run with it until it is taken.
   */
  boolean isUsing(P mine) {
    return mine == p && mine.isInUser(epoch);
  }

  /** Whether it may run the next goroutine of the P at once, without entering the scheduler. */
  boolean mayTakeOver(P mine) {
    return !inScheduler
        && !slice.isOver()
        && threadLock.holder() == null
        && !slice.isGlobalTurn()
        && (slots.runs() < MAX_RUNS_WITHOUT_CLOCK || mine.timers.earliest() == TimerHeap.NEVER)
        && isUsing(mine);
  }

  /** Returns how many slices it has begun with its present P. Any thread; approximate. */
  int ticksWithP() {
    return slice.ticksWithP();
  }

  /** Adds the slices that it has begun with its present P to the total of that P. */
  private void flushTicks() {
    P mine = p;
    if (mine != null) {
      mine.addTicks(slice.ticksWithP());
    }
    slice.restartTicksWithP();
  }

  /**
   * Whether the running goroutine is asked to yield, has not failed to in this slice, and is in no
   * {@linkplain MarkedCall marked call}.
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
   * Whether this M owns the P no longer. If {@link #enterScheduler} failed and this is false, the P
   * was stopped, which does not last long. Only the epoch decides: the state may have changed since
   * the failed attempt.
   */
  boolean hasLost(P mine) {
    return mine.epoch() != epoch;
  }

  /** Whether it owns a P, which may be stopped. */
  boolean hasClaim() {
    P mine = p;
    return mine != null && !hasLost(mine);
  }

  /**
   * Whether its goroutine runs without a P, outside of a marked call. For sysmon, as a heuristic.
   */
  boolean runsWithoutP() {
    return current != null && !call.isInside() && !hasClaim();
  }

  /**
   * Waives the claim to a stopped P, which any M may then acquire; false if it is no longer
   * stopped.
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
   * Makes its P idle; Go's {@code releasep}. The caller has set the bit in {@link Sched#idlePs}.
   */
  void releaseP(P mine) {
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    mine.toIdle();
    p = null;
  }

  /** Forgets the P that was retaken, or that it is about to hand to another M. */
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

  /** Ends all marked calls, because its goroutine has stepped off in the middle of them. */
  void leaveCalls() {
    if (call.isInside()) {
      sched.tracing.callEnds(this);
    }
    call.reset();
  }

  /** Locks it to {@code g}: it runs no other goroutine until {@code g} has unlocked as often. */
  void lock(G g) {
    if (threadLock.lock(g)) {
      mailbox.note.clear();
    }
  }

  /** Sleeps until another M hands it the goroutine it is locked to, with a P. */
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
