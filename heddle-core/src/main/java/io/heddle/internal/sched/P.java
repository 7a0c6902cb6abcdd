package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A processor: the right to run goroutines, with the queue of those that are to run here, and their timers.
 *
 * <p>An M owns it from the moment it takes it until it gives it up, or until it is taken away while a goroutine's own
 * code runs.
 */
public final class P {
  /*
   * States: word = (epoch, state). For each: who owns the P? who may change the word? may the owner-only fields be used?
   *   IDLE     nobody      anyone, to SCHED (epoch + 1) or STOPPED (epoch + 1)     no; the queue is empty, but see Offers
   *   SCHED    an M, which is in the scheduler or in a runtime call
   *                        that M alone, by plain moves to USER or IDLE            by that M
   *   USER     an M, which runs a goroutine's own code
   *                        that M, back to SCHED; anyone, to STOPPED (same epoch) or SCHED (epoch + 1), by
   *                        compare-and-set
   *   STOPPED  the M that had it, if the epoch is still its own; else nobody
   *                        the thread that stopped the world                      by that thread
   *                        that M, to DISOWNED
   *   DISOWNED nobody      as STOPPED; the queue need not be empty                 by the thread that stopped the world
   *   DEAD     nobody      nobody                                                  no
   * The epoch says which ownership the state belongs to: an M remembers the epoch it took the P at, and a word with
   * another one is not its own any more, although it may be USER or SCHED again with another M.
   *
   * Ordering: leave and restart (release) pair with enter, tryStopUser and tryRetake (compare-and-set): the owner-only writes of one
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
   * Checked by: PTest, PStress and OfferStress (jcstress, with broken twins), SchedulerStressTest.
   */
  private static final int STATE_BITS = 3;
  private static final long STATE_MASK = (1L << STATE_BITS) - 1;
  static final int IDLE = 0;
  static final int SCHED = 1;
  static final int USER = 2;
  static final int STOPPED = 3;
  static final int DEAD = 4;
  static final int DISOWNED = 5;

  private static final VarHandle WORD = Handles.field(MethodHandles.lookup(), "word", long.class);
  private static final VarHandle TICKS = Handles.field(MethodHandles.lookup(), "ticks", long.class);

  public final int number;
  public final RunQueue<G> runQueue;
  final TimerHeap timers;

  private volatile long word;

  /** How many time slices the Ms began that had it before. One that lost it may count late, so it is added atomically. */
  private long ticks;

  // Owner-only.
  private int procs;
  private @Nullable M m;

  /** A stopped one, for the thread that stopped the world, or makes it. */
  P(int number, RunQueue<G> runQueue, TimerHeap timers) {
    this.number = number;
    this.runQueue = runQueue;
    this.timers = timers;
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
    runQueue.clearTakenSlots(); // an idle P keeps no goroutine from the collector
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

  /** Its M, which has seen it stopped, does not want it back; false if it is not stopped any more. */
  boolean tryDisown(long epoch) {
    return casWord(word(epoch, STOPPED), word(epoch, DISOWNED));
  }

  /** The world starts again: back to the M that runs user code with it; false if that does not want it any more. */
  boolean restartWithOwner() {
    assert isStopped() : this;
    long w = word;
    return state(w) == STOPPED && casWord(w, word(epoch(w), USER));
  }

  /** The world starts again, and nobody has it. */
  void restartIdle() {
    assert isStopped() : this;
    runQueue.clearTakenSlots();
    word = word(epoch(word), IDLE);
  }

  /** Removed while the world is stopped: an M that had it will find that the epoch is not its own. */
  void toDead() {
    assert isStopped() : this;
    word = word(epoch(word) + 1, DEAD);
  }

  /** Takes it from its M, which runs user code, for another; false if that has moved on. */
  boolean tryRetake(long epoch) {
    return casWord(word(epoch, USER), word(epoch + 1, SCHED));
  }

  /** The epoch, if its M runs user code; else -1. */
  long epochInUser() {
    long w = word;
    return state(w) == USER ? epoch(w) : -1;
  }

  /** Owner: it belongs to {@code m} from now on. */
  void setM(M m) {
    this.m = m;
  }

  /** For who has seen it in user code: that epoch's M, if the word is still the same after this. */
  @Nullable M m() {
    return m;
  }

  /** For an M that had it. */
  void addTicks(int n) {
    TICKS.getAndAdd(this, (long) n);
  }

  /** How many time slices were begun with it: Go's schedtick. For any thread, about. */
  long ticks() {
    long before = (long) TICKS.getVolatile(this);
    M present = m;
    return isIdle() || present == null || present.p() != this
        ? before
        : before + present.ticksWithP();
  }

  /** To look at: one of the states above. */
  int state() {
    return state(word);
  }

  public boolean isIdle() {
    return state(word) == IDLE;
  }

  boolean isInUser(long epoch) {
    return word == word(epoch, USER);
  }

  boolean isStopped() {
    int state = state(word);
    return state == STOPPED || state == DISOWNED;
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
          case DISOWNED -> "DISOWNED";
          default -> "?";
        };
    return "P" + number + "(" + state + ", epoch " + epoch(w) + ", " + runQueue.size() + " queued)";
  }
}
