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
 * <p>All methods are for the M's own thread, in the scheduler or from a goroutine that it carries, unless they say
 * otherwise.
 */
public final class M extends Carrier {
  /*
   * Invariant: p is null, or was acquired by this M at epoch. Whether it is still this M's is for P's word to say.
   *
   * A goroutine from which a method is called is pinned on this M during the call (the JDK does that around execute), so
   * what it reads here belongs to its own carrier.
   *
   * field           what it is                                  writer          other readers            mode
   * sched, number   its scheduler, its number there             constructor     all                      final
   * slice           its time slices                             see Slice
   * mailbox         its note, and what its waker leaves         see Mailbox
   * threadLock      the goroutine it is tied to                 see ThreadLock
   * call            marked calls that its goroutine is in       see MarkedCall
   * search          what it remembers of searches for work      see WorkSearch
   * keeper          how it sleeps as the timekeeper             see KeeperSeat
   * runLoop         runs goroutine after goroutine              its M
   * lastSite        where it started the last goroutine         its M
   * local           its share of the counts                     its M           all, added up            see Counter
   * track           where its events are recorded               trace session   its M                    plain: seen at a
   *                                                                                                      switch, or soon
   * current         the goroutine it runs, or ran last          its M           thieves, sysmon          plain, heuristic
   * spinning        it is counted as looking for work           its M           observers                plain, heuristic
   * inUserCallback  it runs chores as if they were a goroutine  its M                                    plain
   * yielded         its goroutine has yielded, is unqueued      its M                                    plain
   * deferred        a locked goroutine on its way to its M      its M                                    plain
   * p, epoch        the P it acquired last, and when            its M           sysmon, observers        plain, heuristic
   * inScheduler     a runtime call of the M after its           its M                                    plain
   *                 goroutine stepped off: P is in SCHED
   * runs, time      goroutines run since it was last in the     its M           thieves                  plain, heuristic
   *                 scheduler, and the coarse time then
   * osThread        the system's id of the thread               its M           sysmon                   volatile
   */

  /** How many goroutines run in a row before timers are looked at: the clock costs about a tenth of a switch. */
  private static final int CLOCK_EVERY = 16;

  final Sched sched;
  final int number;
  final Slice slice = new Slice();
  final Mailbox<P, G> mailbox = new Mailbox<>();
  final ThreadLock<G> threadLock = new ThreadLock<>();
  final MarkedCall<P> call = new MarkedCall<>();
  final WorkSearch search = new WorkSearch(threadId());
  final KeeperSeat keeper = new KeeperSeat();
  final RunLoop runLoop;
  final LastCreationSite lastSite = new LastCreationSite();

  /** Taken when the M starts. */
  @SuppressWarnings("NullAway.Init")
  MCounters local;

  @Nullable EventTrack track;
  private @Nullable G current;
  boolean spinning;
  boolean inUserCallback;
  private @Nullable G yielded;
  private @Nullable G deferred;
  private @Nullable P p;
  private long epoch;
  private boolean inScheduler;
  private int runs;
  private int time;
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

  /** {@link OsThread#NONE} if it is not. */
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
      leaveCalls(); // its goroutine has stepped off in the middle, and takes no call along
    } else {
      sched.syscalls.exit(this);
    }
  }

  /** The M that runs the caller, or is the caller, of whichever scheduler; null if none does. */
  public static @Nullable M ofCaller() {
    return VirtualThreads.carrier() instanceof M m ? m : null;
  }

  /** The goroutine it runs, or ran last: for this M, and for that goroutine. For any other thread, about. */
  @Nullable G current() {
    return current;
  }

  /** How many goroutines it has run since it was last in the scheduler. For any thread, about: to see whether it switches. */
  int runs() {
    return runs;
  }

  /** Before it goes to sleep; it keeps no goroutine from the collector. */
  void prepareToPark() {
    mailbox.note.clear();
    current = null;
    Mounter.current().clearContinuation(this);
    cacheOsThreadId();
    local.parks.add(1);
    sched.tracing.park(this);
  }

  /** Not at its very start, when it has a P in hand that an error would lose. */
  private void cacheOsThreadId() {
    if (osThread == OsThread.NONE) {
      osThread = OsThread.current();
    }
  }

  @Nullable P p() {
    return p;
  }

  /** For who has taken it out of the idle ones. */
  void wakeUp() {
    if (keeper.inPoller) {
      sched.net.interrupt(); // before the note: the M takes the interrupt back after that
    }
    mailbox.note.wakeup();
  }

  /** Acquires the P that the waker left; false if it left none, which means: end. */
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

  /** For a track: the P it has, and since when. */
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

  /** The P, if it is still this M's and can be used now: from here to {@link #leaveScheduler} nobody can take it away. */
  @Nullable P enterScheduler() {
    P mine = p;
    return mine != null && (inScheduler || mine.enter(epoch)) ? mine : null;
  }

  /** On with a goroutine's own code. */
  void leaveScheduler(P mine) {
    assert !inScheduler;
    mine.leave(epoch);
  }

  /** Whether the P is this M's and in user code: then, and until somebody takes it away, goroutines may run with it. */
  boolean isUsing(P mine) {
    return mine == p && mine.isInUser(epoch);
  }

  /** Between two goroutines: whether it may go on with the next of the P at once. */
  boolean mayTakeOver(P mine) {
    return !inScheduler
        && !slice.isOver()
        && threadLock.holder() == null
        && !slice.isGlobalTurn()
        && (runs < CLOCK_EVERY || mine.timers.earliest() == TimerHeap.NEVER)
        && isUsing(mine);
  }

  /** Returns how many slices it has begun with its present P. Any thread; approximate. */
  int ticksWithP() {
    return slice.ticksWithP();
  }

  /** Enters with its P, which it had until now, how many slices it has begun there. */
  private void flushTicks() {
    P mine = p;
    if (mine != null) {
      mine.addTicks(slice.ticksWithP());
    }
    slice.restartTicksWithP();
  }

  /** Whether the running goroutine must yield, can, and is in no marked call. */
  boolean isAskedToYield() {
    return slice.asksToYield() && !call.isInside();
  }

  /** Between two goroutines it came across one that is to run on another M: {@link ScheduleLoop} sees to it. */
  void deferLockedG(G g) {
    deferred = g;
  }

  @Nullable G takeDeferred() {
    G g = deferred;
    deferred = null;
    return g;
  }

  /** Its goroutine has yielded: {@link ScheduleLoop} queues it when the run is over. */
  void yielded(G g) {
    yielded = g;
  }

  @Nullable G takeYielded() {
    G g = yielded;
    if (g != null) {
      yielded = null;
    }
    return g;
  }

  void startRun(G g) {
    runs++;
    g.lastRun = time;
    current = g;
    SchedLatency latency = sched.latency;
    if (latency != null) {
      latency.runs(g, g.id);
    }
  }

  /** On the way out of the scheduler. */
  void startRuns() {
    time = sched.sysmon.coarseTime();
  }

  /** Back in the scheduler. */
  void endRuns() {
    local.switches.add(runs);
    runs = 0;
  }

  /** After a call that the M itself made, when a goroutine had stepped off: it stays in the scheduler. */
  void markInScheduler() {
    inScheduler = true;
  }

  /** Whether the M is in the scheduler already when it comes back from a run. */
  boolean consumeInScheduler() {
    boolean was = inScheduler;
    inScheduler = false;
    return was;
  }

  /**
   * Whether the P is somebody else's now, or gone. Otherwise an {@link #enterScheduler} that failed found it stopped, and will
   * not find it so for long. Only the epoch tells: a look at the state would be a second look, at another moment.
   */
  boolean hasLost(P mine) {
    return mine.epoch() != epoch;
  }

  /** Whether it has a P that is its own: in use, or stopped. */
  boolean hasClaim() {
    P mine = p;
    return mine != null && !hasLost(mine);
  }

  /** For sysmon, about: whether its goroutine goes on without a P, and is in no call for which it gave that up. */
  boolean runsWithoutP() {
    return current != null && !call.isInside() && !hasClaim();
  }

  /** Leaves a P that is stopped to whoever wants it; false if it is not stopped any more. */
  boolean dropClaim(P mine) {
    if (!mine.tryDisown(epoch)) {
      return false;
    }
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    p = null;
    return true;
  }

  void releaseP(P mine) {
    sched.tracing.released(this, mine, epoch);
    flushTicks();
    mine.toIdle();
    p = null;
  }

  /** Forgets the P that it has lost, or is about to hand to another M. */
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

  /** Its goroutine begins a call that blocks; true if it was in none. */
  boolean enterCall() {
    boolean isFirst = call.enter();
    if (isFirst) {
      sched.tracing.callBegins(this);
    }
    return isFirst;
  }

  /** Its goroutine is done with such a call; true if it is in none now. False also for one that began on another M. */
  boolean exitCall() {
    boolean isLast = call.exit();
    if (isLast) {
      sched.tracing.callEnds(this);
    }
    return isLast;
  }

  /** Its goroutine has stepped off in the middle of a call, and takes the call along. */
  void leaveCalls() {
    if (call.isInside()) {
      sched.tracing.callEnds(this);
    }
    call.reset();
  }

  /** From now on it runs {@code g} alone, until that unlocks it as often. */
  void lock(G g) {
    if (threadLock.lock(g)) {
      mailbox.note.clear();
    }
  }

  /** Sleeps until somebody hands it the goroutine it is locked to. */
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
