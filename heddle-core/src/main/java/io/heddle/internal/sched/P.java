package io.heddle.internal.sched;

import io.heddle.internal.queue.RunQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A processor: the right to run goroutines, with the queue of those that are to run here.
 *
 * <p>An M owns it from the moment it takes it until it gives it up, or until it is taken away while a goroutine's own
 * code runs.
 */
final class P {
  /*
   * States: word = (epoch, state). For each: who owns the P? who may change the word? may the owner-only fields be used?
   *   IDLE     nobody      anyone, to SCHED (epoch + 1) or STOPPED (epoch + 1)     no; the queue is empty, but see Offers
   *   SCHED    an M, which is in the scheduler or in a runtime call
   *                        that M alone, by plain moves to USER or IDLE            by that M
   *   USER     an M, which runs a goroutine's own code
   *                        that M, back to SCHED; anyone, to STOPPED (same epoch), by compare-and-set
   *   STOPPED  the M that had it, if the epoch is still its own; else nobody
   *                        the thread that stopped the world                      by that thread
   *   DEAD     nobody      nobody                                                  no
   * The epoch says which ownership the state belongs to: an M remembers the epoch it took the P at, and a word with
   * another one is not its own any more, although it may be USER or SCHED again with another M.
   *
   * Ordering: leave and restart (release) pair with enter and tryStopUser (compare-and-set): the owner-only writes of one
   * stretch in SCHED are seen by the next, whoever does it. toIdle (volatile) pairs with tryTake, and stands in the
   * total order of volatile accesses for the sleep dance (F6).
   *
   * Offers: a goroutine offers runNext without entering, and looks at the word before and after (Ready.putNext). If the P
   * was its M's all the time, whoever takes or stops it later finds the offer in the queue; if not, it is withdrawn, unless
   * somebody has taken it. Until then it may stand in the queue of a P that is idle, stopped or dead.
   *
   * IDLE implies that the number is in Sched.idlePs: the bit is set before the word, and cleared after it.
   *
   * Differences from Go: there, a P is taken from its M only in a system call. Here all of a goroutine's own code is
   * treated so, since nothing else can take a P from a goroutine that computes.
   *
   * Checked by: PTest, PStress (jcstress, with broken twins), SchedulerStressTest.
   */
  private static final int STATE_BITS = 3;
  private static final long STATE_MASK = (1L << STATE_BITS) - 1;
  static final int IDLE = 0;
  static final int SCHED = 1;
  static final int USER = 2;
  static final int STOPPED = 3;
  static final int DEAD = 4;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(P.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many runs the coarse clock may be old: reading the real one costs about a tenth of a switch. */
  static final int CLOCK_EVERY = 16;

  /** Go's number of scheduling ticks from one look at the global queue to the next: prime, so as not to resonate. */
  private static final int GLOBAL_EVERY = 61;

  final int number;
  final RunQueue<G> runQueue;
  private final long timeSlice;

  private volatile long word;

  // Owner-only.
  private int procs;
  private int globalIn;
  private int clockIn = CLOCK_EVERY;
  private long now = System.nanoTime();
  private long sliceStart = now;
  private boolean sliceIsOver;

  /** A stopped one, for the thread that stopped the world, or makes it. */
  P(int number, RunQueue<G> runQueue, long timeSlice) {
    this.number = number;
    this.runQueue = runQueue;
    this.timeSlice = timeSlice;
    this.word = word(0, STOPPED);
  }

  /** Its M comes back from a goroutine's own code; false if the P is stopped, or not its own any more. */
  boolean enter(long epoch) {
    return casWord(word(epoch, USER), word(epoch, SCHED));
  }

  /** Its M goes on with a goroutine's own code. */
  void leave(long epoch) {
    assert word == word(epoch, SCHED) : this;
    WORD.setRelease(this, word(epoch, USER));
  }

  /** Its M, or who took it for one, gives it up. */
  void toIdle() {
    assert state(word) == SCHED : this;
    word = word(epoch(), IDLE);
  }

  /** Anyone takes an idle one, for itself or for an M it will hand it to; false if it is not idle. */
  boolean tryTake() {
    long w = word;
    return state(w) == IDLE && casWord(w, word(epoch(w) + 1, SCHED));
  }

  /** The epoch of the present ownership. */
  long epoch() {
    return epoch(word);
  }

  /** Stops an idle one; false if it is not idle. */
  boolean tryStopIdle() {
    long w = word;
    return state(w) == IDLE && casWord(w, word(epoch(w) + 1, STOPPED));
  }

  /** Stops one whose M runs user code, and leaves that M the claim to it; false if it is elsewhere. */
  boolean tryStopUser() {
    long w = word;
    return state(w) == USER && casWord(w, word(epoch(w), STOPPED));
  }

  /** The world starts again: back to the M that runs user code with it. */
  void restartWithOwner() {
    assert isStopped() : this;
    WORD.setRelease(this, word(epoch(word), USER));
  }

  /** The world starts again, and nobody has it. */
  void restartIdle() {
    assert isStopped() : this;
    word = word(epoch(word), IDLE);
  }

  /** Removed while the world is stopped: an M that had it will find that the epoch is not its own. */
  void toDead() {
    assert isStopped() : this;
    word = word(epoch(word) + 1, DEAD);
  }

  boolean isIdle() {
    return state(word) == IDLE;
  }

  boolean isInUser(long epoch) {
    return word == word(epoch, USER);
  }

  boolean isStopped() {
    return state(word) == STOPPED;
  }

  /** Owner: its M has run so many goroutines since it was last in the scheduler. */
  void countRuns(int runs, int ticks) {
    clockIn -= runs;
    globalIn -= ticks;
  }

  /** Owner: a goroutine is about to run; one that did not inherit its time slice starts a new one (Q4). */
  void startRun(G g, boolean inheritTime) {
    if (clockIn <= 0) {
      clockIn = CLOCK_EVERY;
      now = System.nanoTime();
      sliceIsOver = now - sliceStart >= timeSlice;
    }
    if (!inheritTime) {
      globalIn--;
      sliceStart = now;
      sliceIsOver = false;
    }
    g.lastRun = ticks(now);
  }

  /** A coarse time that fits an int: units of about a millisecond, which come round after some seven weeks. */
  static int ticks(long nanos) {
    return (int) (nanos >>> 20);
  }

  /** How long ago that was, in nanoseconds. */
  static long since(int ticks) {
    return (long) (ticks(System.nanoTime()) - ticks) << 20;
  }

  /** Owner: whether the goroutines that hand over to each other through {@code runNext} have used up their slice. */
  boolean sliceIsOver() {
    return sliceIsOver;
  }

  /** Owner: whether the global queue comes first this time (F1). */
  boolean looksAtGlobalFirst() {
    if (globalIn > 0) {
      return false;
    }
    globalIn = GLOBAL_EVERY;
    return true;
  }

  /** Owner: the P was out of use; its clock is not to be believed. */
  void refreshClock() {
    now = System.nanoTime();
    sliceStart = now;
    sliceIsOver = false;
  }

  /** Owner: whether there is no other P. */
  boolean isOnly() {
    return procs == 1;
  }

  /** Owner: how many Ps there are. */
  int procs() {
    return procs;
  }

  /** For the thread that stopped the world. */
  void setProcs(int n) {
    procs = n;
  }

  private boolean casWord(long expected, long next) {
    return WORD.compareAndSet(this, expected, next);
  }

  private static long word(long epoch, int state) {
    return epoch << STATE_BITS | state;
  }

  private static long epoch(long word) {
    return word >>> STATE_BITS;
  }

  private static int state(long word) {
    return (int) (word & STATE_MASK);
  }

  @Override
  public String toString() {
    long w = word;
    String state =
        switch (state(w)) {
          case IDLE -> "IDLE";
          case SCHED -> "SCHED";
          case USER -> "USER";
          case STOPPED -> "STOPPED";
          case DEAD -> "DEAD";
          default -> "?";
        };
    return "P" + number + "(" + state + ", epoch " + epoch(w) + ", " + runQueue.size() + " queued)";
  }
}
