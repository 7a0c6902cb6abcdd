package io.heddle.internal.sched;

import io.heddle.internal.base.FastRandom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;
import org.jspecify.annotations.Nullable;

/**
 * A machine: an OS thread that runs goroutines while it owns a P.
 *
 * <p>Its fields are used by its own thread alone, in the scheduler or from a goroutine that it carries, except for what
 * its waker hands over: that is written before {@link Note#wakeup} and read after {@link Note#sleep}.
 */
final class M extends Thread {
  /*
   * Invariant: p is null, or was taken by this M at epoch; whether it is still this M's is for P's word to say.
   *
   * A goroutine that a method is called from is pinned on this M for the time of the call (the JDK does that around
   * execute), so what it reads here is its own carrier's.
   */
  final Sched sched;
  final Note note = new Note();
  final LastSite lastSite = new LastSite();
  final FastRandom random = new FastRandom(threadId() * 0x9E3779B97F4A7C15L);

  /** This M's share of the scheduler's books, taken when it starts. */
  @SuppressWarnings("NullAway.Init")
  Local local;

  /** The goroutine it runs. */
  private @Nullable G current;

  /** Looks for work, with a P and without a goroutine, and is counted as such. */
  boolean spinning;

  /** Runs what may be a user's code, a logger for instance, as if that were a goroutine. */
  boolean doesChores;

  /** The one that has just yielded here, and is on no queue yet. */
  private @Nullable G yielded;

  private @Nullable P p;
  private long epoch;

  /** A runtime call of this M itself, after a goroutine stepped off it, has brought it back into the scheduler. */
  private boolean back;

  /** How many goroutines it has run since it was last in the scheduler, how many of them with a time slice of their own. */
  private int runs;

  private int ticks;

  private @Nullable P nextP;
  private boolean nextSpinning;

  M(Sched sched, ThreadGroup group, int number) {
    // No inherited thread locals: an M belongs to no caller.
    super(group, null, "heddle-" + sched.name() + "-M" + number, 0, false);
    this.sched = sched;
    setDaemon(true);
    setContextClassLoader(ClassLoader.getSystemClassLoader());
  }

  @Override
  public void run() {
    sched.threads.mainOf(this);
  }

  /** The M that runs the caller, or is the caller, of whichever scheduler; null if none does. */
  static @Nullable M underCaller() {
    return VirtualThreads.carrier() instanceof M m ? m : null;
  }

  /** The goroutine it runs, or ran last: for this M, and for that goroutine. */
  @Nullable G current() {
    return current;
  }

  /** Before it goes to sleep; it keeps no goroutine from the collector. */
  void rest() {
    note.clear();
    current = null;
    local.parks.add(1);
  }

  @Nullable P p() {
    return p;
  }

  /** For a waker: what this M, which sleeps or is not started yet, will find. */
  void hand(P p, boolean spinning) {
    nextP = p;
    nextSpinning = spinning;
  }

  /** Takes what the waker left; false if it left nothing, which means: end. */
  boolean takeHanded() {
    P handed = nextP;
    if (handed == null) {
      return false;
    }
    nextP = null;
    own(handed);
    spinning = nextSpinning;
    return true;
  }

  /** Makes a P that was taken for this M its own. */
  void own(P taken) {
    p = taken;
    epoch = taken.epoch();
    taken.refreshClock();
  }

  /** The P, if it is still this M's and can be used now: from here to {@link #leave} nobody can take it away. */
  @Nullable P enter() {
    P mine = p;
    return mine != null && (back || mine.enter(epoch)) ? mine : null;
  }

  /** On with a goroutine's own code. */
  void leave(P mine) {
    assert !back;
    mine.leave(epoch);
  }

  /** Whether the P is this M's and in user code: then, and until somebody takes it away, goroutines may run with it. */
  boolean isUsing(P mine) {
    return mine.isInUser(epoch);
  }

  /** Between two goroutines: whether it may go on with the next of the P at once. */
  boolean mayTakeOver(P mine) {
    return !back && runs < P.CLOCK_EVERY && isUsing(mine);
  }

  /** Its goroutine has yielded: {@link Schedule} queues it when the run is over. */
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
    G last = current;
    if (runs++ > 0 && last != null) {
      g.lastRun = last.lastRun; // taken over: P's clock is not for user code to read
    }
    current = g;
  }

  /** Took over one that inherits no time slice. */
  void countTick() {
    ticks++;
  }

  /** Back in the scheduler; if with {@code mine}, that takes note of the runs, too. */
  void endRuns(P mine) {
    if (p == mine) {
      mine.countRuns(runs, ticks);
    }
    local.switches.add(runs);
    runs = 0;
    ticks = 0;
  }

  /** After a call that the M itself made, when a goroutine had stepped off: it stays in the scheduler. */
  void stay() {
    back = true;
  }

  /** Whether the M is in the scheduler already when it comes back from a run. */
  boolean isBack() {
    boolean was = back;
    back = false;
    return was;
  }

  /**
   * Whether the P is somebody else's now, or gone. Otherwise an {@link #enter} that failed found it stopped, and will
   * not find it so for long. Only the epoch tells: a look at the state would be a second look, at another moment.
   */
  boolean hasLost(P mine) {
    return mine.epoch() != epoch;
  }

  void giveUp(P mine) {
    mine.toIdle();
    p = null;
  }

  /** Forgets the P that it has lost. */
  void lose() {
    p = null;
  }
}
