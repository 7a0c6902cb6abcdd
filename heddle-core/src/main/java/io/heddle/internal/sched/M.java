package io.heddle.internal.sched;

import io.heddle.internal.base.FastRandom;
import io.heddle.internal.jdk.Carrier;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.trace.EventTrack;
import io.heddle.internal.trace.SchedLatency;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A machine: an OS thread that runs goroutines while it owns a P.
 *
 * <p>Its fields are used by its own thread alone, in the scheduler or from a goroutine that it carries, except for what
 * its waker hands over: that is written before {@link Note#wakeup} and read after {@link Note#sleep}.
 */
public final class M extends Carrier {
  /*
   * Invariant: p is null, or was taken by this M at epoch; whether it is still this M's is for P's word to say.
   *
   * A goroutine that a method is called from is pinned on this M for the time of the call (the JDK does that around
   * execute), so what it reads here is its own carrier's.
   *
   * Who would steal from it reads current and runs, as a guess. Sysmon reads current and tick, and writes preempt and
   * refused, while the M runs; of p, epoch and calls it takes a plain
   * look that decides only whom it asks to yield (hasStrayed). It acts on what has not changed for a
   * whole time slice, which it sees by then although the accesses are plain or opaque; if it is wrong after all, a slice
   * ends early, or a log names the wrong goroutine.
   *
   * A long file, since all that changes these fields is here, in small methods.
   */
  private static final VarHandle TICK;

  static {
    try {
      TICK = MethodHandles.lookup().findVarHandle(M.class, "tick", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Go's number of scheduling ticks from one look at the global queue to the next: prime, so as not to resonate. */
  private static final int GLOBAL_EVERY = 61;

  /** How many goroutines run in a row before timers are looked at: the clock costs about a tenth of a switch. */
  private static final int CLOCK_EVERY = 16;

  final Sched sched;
  final int number;
  final Note note = new Note();
  final IdleSpin linger = new IdleSpin();
  final RingWatch watch = new RingWatch();
  final RunLoop relay;
  final LastCreationSite lastSite = new LastCreationSite();
  final FastRandom random = new FastRandom(threadId());

  /** This M's share of the scheduler's books, taken when it starts. */
  @SuppressWarnings("NullAway.Init")
  MCounters local;

  /**
   * Where what it does is noted while it is recorded. Written by who begins or ends that, and read plainly: it is seen
   * at the next scheduling point or soon after.
   */
  @Nullable EventTrack track;

  /** The goroutine it runs. */
  private @Nullable G current;

  /** Looks for work, with a P and without a goroutine, and is counted as such. */
  boolean spinning;

  /** Whether it may use the scheduler's poller: see Net. */
  boolean mayPoll;

  /** Whether it sleeps, if it does, in the poller and not on its note. Read by who has taken it to wake it. */
  boolean inPoller;

  /** Runs what may be a user's code, a logger for instance, as if that were a goroutine. */
  boolean inUserCallback;

  /** The P it stole from last, -1 if from none: for who looks. */
  int lastVictim = -1;

  /** The one that has just yielded here, and is on no queue yet. */
  private @Nullable G yielded;

  /** One that may run on another M alone, on its way to that. */
  private @Nullable G deferLockedG;

  private @Nullable P p;
  private long epoch;

  /** A runtime call of this M itself, after a goroutine stepped off it, has brought it back into the scheduler. */
  private boolean back;

  /** How many goroutines it has run since it was last in the scheduler, and the coarse time then. */
  private int runs;

  private int time;

  /** How many time slices it has begun: a goroutine that runs next after the one that woke it has none of its own. */
  private int tick;

  /** The tick at which it got its P. */
  private int ownTick;

  /** The tick at which the global queue came first (F1). */
  private int globalTick;

  /** The present slice is over: said by sysmon. */
  private volatile boolean preempt;

  /** The slice in which its goroutine could not yield though it was asked to, plus one. */
  private volatile int refused;

  /** How many calls that block it its goroutine is inside of, and the P it gave up for them. */
  private int calls;

  private @Nullable P oldP;

  private volatile long sleepUntil;

  /** What the system calls it, as soon as that is known. */
  private volatile int osThread;

  /** The one goroutine it may run, and how often that asked for it (G7). */
  private @Nullable G locked;

  private int locks;
  private @Nullable G nextG;

  private @Nullable P nextP;
  private boolean nextSpinning;

  M(Sched sched, int number) {
    super("heddle-" + sched.name() + "-M" + number);
    this.sched = sched;
    this.number = number;
    this.relay = new RunLoop(this);
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
    if (calls == 0) {
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
    note.clear();
    current = null;
    Mounter.clearContinuation(this);
    cacheOsThreadId();
    local.parks.add(1);
    tracePark();
  }

  /** Not at its very start, when it has a P in hand that an error would lose. */
  private void cacheOsThreadId() {
    if (osThread == OsThread.NONE) {
      osThread = OsThread.current();
    }
  }

  private void tracePark() {
    EventTrack t = track;
    if (t != null) {
      t.park();
    }
  }

  @Nullable P p() {
    return p;
  }

  /** For a waker: what this M, which sleeps or is not started yet, will find. */
  void assignP(P p, boolean spinning) {
    nextP = p;
    nextSpinning = spinning;
  }

  /** For who has taken it out of the idle ones. */
  void wakeUp() {
    if (inPoller) {
      sched.net.interrupt(); // before the note, behind which it takes this back
    }
    note.wakeup();
  }

  /** Whether the waker left a P. */
  boolean hasAssignedP() {
    return nextP != null;
  }

  /** Takes what the waker left; false if it left nothing, which means: end. */
  boolean acceptAssignedP() {
    P handed = nextP;
    if (handed == null) {
      return false;
    }
    nextP = null;
    acquireP(handed);
    spinning = nextSpinning;
    if (spinning) {
      traceSpin();
    }
    return true;
  }

  private void traceSpin() {
    EventTrack t = track;
    if (t != null) {
      t.spin();
    }
  }

  /** For a track: the P it has, and since when. */
  long hasP() {
    P mine = p;
    return mine == null ? 0 : EventTrack.has(mine.number, epoch);
  }

  /** Makes a P that was taken for this M its own. */
  void acquireP(P taken) {
    flushTicks();
    traceOwn(taken);
    p = taken;
    epoch = taken.epoch();
    taken.setM(this);
    preempt = false; // that was about another P
    newSlice();
    sched.sysmon.refreshCoarseTime();
  }

  private void traceOwn(P taken) {
    EventTrack t = track;
    if (t != null) {
      P before = p;
      if (before != null) {
        t.lose(before.number, epoch); // while its goroutine ran: it comes back from a call without
      }
      t.own(taken.number, taken.epoch());
    }
  }

  /** The P, if it is still this M's and can be used now: from here to {@link #leaveScheduler} nobody can take it away. */
  @Nullable P enterScheduler() {
    P mine = p;
    return mine != null && (back || mine.enter(epoch)) ? mine : null;
  }

  /** On with a goroutine's own code. */
  void leaveScheduler(P mine) {
    assert !back;
    mine.leave(epoch);
  }

  /** Whether the P is this M's and in user code: then, and until somebody takes it away, goroutines may run with it. */
  boolean isUsing(P mine) {
    return mine == p && mine.isInUser(epoch);
  }

  /** Between two goroutines: whether it may go on with the next of the P at once. */
  boolean mayTakeOver(P mine) {
    return !back
        && !preempt
        && locked == null
        && tick - globalTick < GLOBAL_EVERY
        && (runs < CLOCK_EVERY || mine.timers.earliest() == TimerHeap.NEVER)
        && isUsing(mine);
  }

  /** Whether the global queue comes first this time (F1). */
  boolean takeGlobalTurn() {
    if (tick - globalTick < GLOBAL_EVERY) {
      return false;
    }
    globalTick = tick;
    return true;
  }

  /** Enters with its P, which it had until now, how many slices it has begun there. */
  private void flushTicks() {
    P mine = p;
    if (mine != null) {
      mine.addTicks(tick - ownTick);
    }
    ownTick = tick;
  }

  /** How many slices it has begun with its present P. For any thread, about. */
  int ticksWithP() {
    return tick() - ownTick;
  }

  /** A goroutine that does not inherit its time slice is about to run. */
  void newSlice() {
    TICK.setOpaque(this, tick + 1);
  }

  /** For sysmon: changes with each time slice. */
  int tick() {
    return (int) TICK.getOpaque(this);
  }

  /** For sysmon: the slice is over. */
  void preempt() {
    preempt = true;
  }

  /** Whether the goroutines that hand over to each other through {@code runNext} have used up their slice. */
  boolean consumePreemption() {
    if (preempt) {
      preempt = false;
      return true;
    }
    return false;
  }

  /** For the goroutine it runs: whether that is to yield, and has not tried to. */
  boolean isAskedToYield() {
    return preempt && !didYieldFail() && calls == 0;
  }

  /** For the goroutine it runs: it cannot yield. */
  void yieldFailed() {
    refused = tick + 1;
  }

  /** For sysmon: it may be able to yield by now. */
  void requestYield() {
    refused = tick(); // of the slice before
    preempt = true;
  }

  /** For sysmon, too: whether asking has been in vain. */
  boolean didYieldFail() {
    return refused == tick() + 1;
  }

  /** Between two goroutines it came across one that is to run on another M: {@link ScheduleLoop} sees to it. */
  void deferLockedG(G g) {
    deferLockedG = g;
  }

  @Nullable G takeDeferred() {
    G g = deferLockedG;
    deferLockedG = null;
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
    back = true;
  }

  /** Whether the M is in the scheduler already when it comes back from a run. */
  boolean consumeInScheduler() {
    boolean was = back;
    back = false;
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
    return current != null && calls == 0 && !hasClaim();
  }

  /** Leaves a P that is stopped to whoever wants it; false if it is not stopped any more. */
  boolean dropClaim(P mine) {
    if (!mine.tryDisown(epoch)) {
      return false;
    }
    traceGive(mine);
    flushTicks();
    p = null;
    return true;
  }

  void releaseP(P mine) {
    traceGive(mine);
    flushTicks();
    mine.toIdle();
    p = null;
  }

  private void traceGive(P mine) {
    EventTrack t = track;
    if (t != null) {
      t.give(mine.number, epoch);
    }
  }

  /** Forgets the P that it has lost, or is about to hand to another M. */
  void forgetP() {
    P mine = p;
    if (mine != null && track != null) {
      if (hasLost(mine)) {
        traceLost(mine);
      } else {
        traceGive(mine);
      }
    }
    flushTicks();
    p = null;
  }

  private void traceLost(P mine) {
    EventTrack t = track;
    if (t != null) {
      t.lose(mine.number, epoch);
    }
  }

  /** Its goroutine begins a call that blocks; true if it was in none. */
  boolean enterCall() {
    boolean isFirst = calls++ == 0;
    EventTrack t = track;
    if (t != null && isFirst) {
      t.call();
    }
    return isFirst;
  }

  /** Its goroutine is done with such a call; true if it is in none now. False also for one that began on another M. */
  boolean exitCall() {
    boolean isLast = calls > 0 && --calls == 0;
    if (isLast) {
      traceReturn();
    }
    return isLast;
  }

  private void traceReturn() {
    EventTrack t = track;
    if (t != null) {
      t.returned();
    }
  }

  void leaveCalls() {
    if (calls > 0) {
      traceReturn();
    }
    calls = 0;
    oldP = null;
  }

  /** Whether its goroutine is in a call that blocks it. */
  boolean isInCall() {
    return calls > 0;
  }

  /** The P given up for a call, to be asked for first when that is over. */
  void remember(P old) {
    oldP = old;
  }

  @Nullable P takeOldP() {
    P old = oldP;
    oldP = null;
    return old;
  }

  /** Until when it sleeps, if it keeps the time. */
  long sleepUntil() {
    return sleepUntil;
  }

  void sleepUntil(long when) {
    sleepUntil = when;
  }

  /** From now on it runs {@code g} alone, until that unlocks it as often. */
  void lock(G g) {
    if (locks++ == 0) {
      note.clear();
      locked = g;
    }
  }

  /** False if it was not locked; else whether that is over is for {@link #locked} to say. */
  boolean unlock() {
    if (locks == 0) {
      return false;
    }
    if (--locks == 0) {
      locked = null;
    }
    return true;
  }

  /** Sleeps until somebody hands it the goroutine it is locked to. */
  void sleepLocked() {
    tracePark();
    local.parks.add(1);
    sched.threads.lockedIdle(1);
    try {
      sched.sysmon.onMAsleep();
      note.sleep();
    } finally {
      sched.threads.lockedIdle(-1);
    }
    note.clear();
  }

  /** The goroutine it is locked to. */
  @Nullable G locked() {
    return locked;
  }

  /** Its goroutine has ended without unlocking it. */
  void unlockAll() {
    locks = 0;
    locked = null;
  }

  /** For the M that found the goroutine this one is locked to, and gives up its P for it. */
  void assignLockedG(P p, G g) {
    nextG = g;
    assignP(p, false);
  }

  @Nullable G acceptAssignedG() {
    G g = nextG;
    nextG = null;
    return g;
  }
}
