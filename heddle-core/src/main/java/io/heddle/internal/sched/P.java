package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import io.heddle.internal.part.Slice;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A processor: the right to run goroutines, with a queue of runnable goroutines and a heap of
 * timers.
 *
 * <p>An M owns a P from the moment it acquires the P until it releases the P. Sysmon, the
 * scheduler's monitor thread, may retake the P before, while the M runs user code.
 */
public final class P {
  /*
   * States: word = (epoch, state). The table tells for each state: the owner of the P; the threads
   * that may change the word, and to what; the thread that may write the owner-only fields (tail
   * and slots of the queue, procs, m). The timers have a lock of their own.
   *   IDLE      owner: none. Any thread, to SCHED (epoch + 1) or STOPPED (epoch + 1), by
   *             compare-and-set. Owner-only fields: no thread. The queue is empty, but see Offers.
   *   SCHED     owner: an M that is in the scheduler or in a runtime call, or the thread that has
   *             acquired the P to give it to an M. The owner alone, to USER or IDLE, by a store
   *             without compare-and-set. Owner-only fields: the owner.
   *   USER      owner: an M that runs user code. That M, to SCHED; any thread, to STOPPED (same
   *             epoch) or SCHED (epoch + 1); all by compare-and-set. Owner-only fields: no thread.
   *   STOPPED   owner: the M that had it, if the epoch is still that M's; else none. The stopper
   *             (the thread that stopped the world), to any state; that M, to DISOWNED. Owner-only
   *             fields: the stopper.
   *   DISOWNED  owner: none. Otherwise like STOPPED; the queue need not be empty.
   *   DEAD      owner: none. No thread changes it or uses the fields.
   * The epoch identifies an ownership. An M remembers the epoch at which it acquired the P. If the
   * word has another epoch, the P is not that M's any more, although it may be in USER or SCHED
   * again with another M.
   *
   * Ordering: leave (release) and restartWithOwner (compare-and-set) pair with enter, tryStopUser
   * and tryRetake (compare-and-set). So the owner-only writes of one stretch in SCHED are seen in
   * the next stretch, whichever thread owns the P then. toIdle (volatile) pairs with tryTake.
   * toIdle is also step 1 of going to sleep (F6, see Sched). That step must be in the total order
   * of volatile accesses, so a release store would not suffice.
   *
   * Offers (Ready.putNext): a goroutine puts another one into runNext of the P under it, without
   * moving the P from USER to SCHED.
   *   1. Read the word: the P is this M's and in USER.
   *   2. Put the goroutine into runNext, if that is empty, by compare-and-set.
   *   3. Read the word again. If it has not changed, the offer stands: a thread that takes or stops
   *      the P later finds it in the queue.
   *   4. If it has changed, withdraw the offer by compare-and-set. If that fails, another thread
   *      has taken the goroutine, and runs or queues it.
   * Between steps 2 and 4 an offer may be in the queue of a P that is idle, stopped or dead.
   *
   * IDLE implies that the number of the P is in Sched.idlePs. The bit of the P there is set before
   * the word becomes IDLE, and cleared after the word has left IDLE. The word is authoritative. The
   * bits tell a search for an idle P which words to read.
   *
   * Differences from Go: Go retakes a P from its M only during a system call. Heddle treats all
   * user code like a system call, because it has no other way to take a P from a goroutine that
   * computes and does not yield.
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

  /**
   * How many time slices the former owners (Ms) of this P began with this P. Updated atomically,
   * because an M that has lost the P by a retake may add its slices while a later M adds its own.
   * The slices of the present M are in {@link Slice}.
   */
  private long ticks;

  // Fields that only the owner of this P may use; see States.
  private int procs;
  private @Nullable M m;

  /**
   * Makes a P in state STOPPED, for the thread that makes the scheduler or has stopped the world.
   */
  P(int number, RunQueue<G> runQueue, TimerHeap timers) {
    this.number = number;
    this.runQueue = runQueue;
    this.timers = timers;
    this.word = word(0, STOPPED);
  }

  /**
   * Moves this P from USER to SCHED, for the M that acquired it at {@code epoch}. Returns false if
   * the P is stopped, or no longer belongs to that M.
   */
  boolean enter(long epoch) {
    return casWord(word(epoch, USER), word(epoch, SCHED));
  }

  /** Moves this P from SCHED to USER, for the M that acquired it at {@code epoch}. */
  void leave(long epoch) {
    assert word == word(epoch, SCHED) : this;
    WORD.setRelease(this, word(epoch, USER));
  }

  /** Moves this P from SCHED to IDLE, for its M or for the thread that has acquired it. */
  void toIdle() {
    assert state(word) == SCHED : this;
    runQueue.clearTakenSlots(); // so that an idle P keeps no goroutine from the collector
    word = word(epoch(), IDLE);
  }

  /**
   * Acquires this P, for the calling M or for an M to which the caller will give the P. Returns
   * false if the P is not idle.
   */
  boolean tryTake() {
    long w = word;
    return state(w) == IDLE && casWord(w, word(epoch(w) + 1, SCHED));
  }

  /** Returns the epoch, which identifies the present ownership of this P. */
  long epoch() {
    return epoch(word);
  }

  /** Moves this P from IDLE to STOPPED; false if it is not idle. Called by the stopper. */
  boolean tryStopIdle() {
    long w = word;
    return state(w) == IDLE && casWord(w, word(epoch(w) + 1, STOPPED));
  }

  /**
   * Moves this P from USER to STOPPED. Its M keeps the claim to it: when the world starts, the M
   * has the P again. Returns false in any other state. Called by the stopper.
   */
  boolean tryStopUser() {
    long w = word;
    return state(w) == USER && casWord(w, word(epoch(w), STOPPED));
  }

  /**
   * Waives the claim to this stopped P, for the M that acquired it at {@code epoch}. Returns false
   * if the P is not stopped any more.
   */
  boolean tryDisown(long epoch) {
    return casWord(word(epoch, STOPPED), word(epoch, DISOWNED));
  }

  /**
   * Moves this P from STOPPED back to USER, for the M that has the claim to it. Returns false if
   * that M has waived the claim. Called by the stopper.
   */
  boolean restartWithOwner() {
    assert isStopped() : this;
    long w = word;
    return state(w) == STOPPED && casWord(w, word(epoch(w), USER));
  }

  /**
   * Moves this P to IDLE when the world starts again and no M has a claim to the P. Called by the
   * stopper.
   */
  void restartIdle() {
    assert isStopped() : this;
    runQueue.clearTakenSlots();
    word = word(epoch(word), IDLE);
  }

  /**
   * Marks this stopped P as removed for good. An M that had the P finds out later, because the
   * epoch has changed. Called by the stopper.
   */
  void toDead() {
    assert isStopped() : this;
    word = word(epoch(word) + 1, DEAD);
  }

  /**
   * Retakes this P from the M that acquired it at {@code epoch}: moves it from USER to SCHED, owned
   * by the caller. Returns false if the P is no longer in USER at that epoch.
   */
  boolean tryRetake(long epoch) {
    return casWord(word(epoch, USER), word(epoch + 1, SCHED));
  }

  /** Returns the epoch if the M of this P runs user code; else -1. */
  long epochInUser() {
    long w = word;
    return state(w) == USER ? epoch(w) : -1;
  }

  /** Records that this P belongs to {@code m}. Called by the owner. */
  void setM(M m) {
    this.m = m;
  }

  /**
   * Returns the M that acquired this P last; null if none has. A caller that has read a word in
   * state USER must read the word again after this call. Only if the word is unchanged, the result
   * is the M of that epoch.
   */
  @Nullable M m() {
    return m;
  }

  /**
   * Adds {@code n} to the slices that former Ms began with this P. Called by an M that gives this P
   * up, or finds that it has lost it; {@code n} is how many slices that M began with this P.
   */
  void addTicks(int n) {
    TICKS.getAndAdd(this, (long) n);
  }

  /**
   * Returns how many time slices all Ms together began with this P; Go's {@code schedtick}.
   * Callable by any thread; approximate.
   */
  long ticks() {
    long before = (long) TICKS.getVolatile(this);
    M present = m;
    return isIdle() || present == null || present.p() != this
        ? before
        : before + present.ticksWithP();
  }

  /** Returns the state of this P, for observers. */
  int state() {
    return state(word);
  }

  public boolean isIdle() {
    return state(word) == IDLE;
  }

  /** Whether this P is in state USER and {@code epoch} is its present epoch. */
  boolean isInUser(long epoch) {
    return word == word(epoch, USER);
  }

  boolean isStopped() {
    int state = state(word);
    return state == STOPPED || state == DISOWNED;
  }

  /** Whether there is no other P. Called by the owner. */
  boolean isOnly() {
    return procs == 1;
  }

  /** Returns how many Ps there are. Called by the owner. */
  int procs() {
    return procs;
  }

  /** Sets the number of Ps. Called by the stopper. */
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
