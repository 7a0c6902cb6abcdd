package io.heddle.internal.timer;

import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time and an action that is performed at that time. Any thread may arm a deadline any number of
 * times, also while the deadline is armed.
 *
 * <p>The methods take spin locks for a few instructions and never park, so a goroutine may call
 * them. If too little stack is left, they throw {@link StackOverflowError} before they change
 * anything.
 */
public abstract class Deadline {
  /*
   * The state word has three flags and the generation:
   *   LIVE    the deadline will fire
   *   PLACED  the deadline has an entry in a heap
   *   LOCKED  the spin lock of all fields except index; the word can be read without the lock
   * States by the flags LIVE and PLACED (a live deadline is always placed):
   *   neither flag   no entry in a heap: the deadline is new, has fired for the last time, or was
   *                  stopped and its entry was dropped
   *   PLACED, LIVE   armed
   *   PLACED         stopped: a zombie, whose entry the heap drops when it finds the entry
   *
   * Invariants: the key of a placed deadline's entry is not later than the field when, and the
   * entry's generation is not later than the deadline's. Therefore arming for a time that is not
   * earlier leaves the entry unchanged. The heap corrects the entry when it comes to the root.
   *
   * The generation is a Lamport clock. Each arming takes a generation later than all earlier ones
   * of this deadline and of all armings in the heap so far. So the generation identifies the arming
   * and orders the armings of one heap. stop() adds 1 to the generation.
   *
   * Ordering:
   *   lock's compare-and-set pairs with unlock's release store, for the fields and for the heap's
   *   count of zombies.
   *   A stop and the heap that fires are ordered by this lock. If the stop comes first, the heap
   *   finds the deadline not live and does not fire it. If the heap comes first and the deadline
   *   has no period, stop finds it not live and returns false.
   *   index, the slot of the deadline's entry in the heap, is guarded by the heap's lock. Lock
   *   order: heap, then deadline. A thread that holds the lock of a deadline takes no other lock.
   *
   * Size: 44 bytes with compressed class pointers. A subclass with one reference field has 48
   * bytes, like a subclass without fields.
   *
   * Differences from Go: no mutex with a queue, and no flag for an entry that is out of date,
   * because a comparison of the entry with the deadline shows it.
   *
   * Rejected: stop as one compare-and-set without a lock bit. The heaps' zombie counts would no
   * longer be exact, because the entry may be dropped or moved to another heap in between.
   * Rejected: moving the entry to the heap of the latest arming. That needs the locks of two heaps.
   *
   * Checked by: TimerHeapTest, TimerStressTest, TimerLincheckTest, TimerStress (jcstress). The last
   * three also test a broken twin: a copy with a deliberate error, which the test must find.
   */
  private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);

  private static final long LOCKED = 1;
  private static final long LIVE = 2;
  private static final long PLACED = 4;

  /** The position of the generation: the bits above the flags. */
  private static final int GENERATION_SHIFT = 3;

  /**
   * What a thread that waits for the lock does while the deadline has no heap. The thread spins,
   * because only the heap knows how to yield to the operating system.
   */
  private static final Runnable SPIN = Thread::onSpinWait;

  private volatile long state;
  private long when;
  private long period;
  private @Nullable TimerHeap heap;

  /** The slot of this deadline's entry in the heap, guarded by the heap's lock. */
  int index;

  /**
   * Performs the action when the time has come. Called on the thread that runs the heap's due
   * deadlines, without any lock of this package. Must be short, must not park and must not throw.
   *
   * <p>When this method is called, the deadline may already have been stopped or armed again. The
   * new arming may fire at the same time on another thread. Compare {@code generation} with {@link
   * #generation()} to detect this.
   *
   * @param generation the generation of the arming that is due
   */
  protected abstract void fire(long generation);

  /**
   * Arms this deadline for {@code when} and, unless {@code period} is 0, for every {@code period}
   * nanoseconds after that. Replaces an earlier arming.
   *
   * @param heap the heap to use, unless the deadline has an entry in a heap already
   * @return whether the deadline was live before this call
   * @throws OutOfMemoryError if the heap cannot grow; then the deadline is not live
   */
  public final boolean arm(TimerHeap heap, long when, long period) {
    if (period < 0) {
      throw new IllegalArgumentException("period " + period + ": allowed is 0 or more");
    }
    StackHeadroom.ensure();
    for (; ; ) {
      TimerHeap target = heap.last();
      if (isPlaced()) {
        long before = lock();
        if (isPlaced(before) && when >= this.when) {
          return armInPlace(before, when, period);
        }
        target = isPlaced(before) ? placedIn() : target;
        unlock(before);
      }
      switch (target.arm(this, when, period)) {
        case WAS_LIVE -> {
          return true;
        }
        case WAS_NOT_LIVE -> {
          return false;
        }
        case NOT_HERE -> {} // another thread armed the deadline or moved the heap: retry
      }
    }
  }

  /**
   * Arms a new deadline for {@code when}, without a period. The deadline must never have been
   * armed, and no other thread may know it yet. This method is cheaper than {@link #arm}, because
   * it does not take the deadline's lock.
   *
   * @throws OutOfMemoryError if the heap cannot grow; then the deadline is not live
   */
  public final void armFirst(TimerHeap heap, long when) {
    assert state == 0 : "armed before";
    StackHeadroom.ensure();
    while (!heap.last().armFirst(this, when)) {} // the heap has moved meanwhile: retry
  }

  /**
   * Arms a deadline without a period again, from within {@link #fire}, in the heap from which it
   * was taken. That heap has room for the deadline, unless another thread has used the room
   * meanwhile.
   *
   * @throws OutOfMemoryError if the heap has no room and cannot grow
   */
  protected final void armAgain(long when) {
    boolean _ = arm(placedIn(), when, 0);
  }

  /**
   * Disarms this deadline.
   *
   * @return whether the deadline was live before this call. If so, this arming will not fire again.
   *     If it has a period, the action of an earlier period may still be in progress.
   */
  public final boolean stop() {
    StackHeadroom.ensure();
    long before = lock();
    if (isLive(before)) {
      placedIn().countZombies(1);
    }
    unlock((before & ~LIVE) + (1 << GENERATION_SHIFT));
    return isLive(before);
  }

  /** Whether this deadline will fire, unless it is stopped before. */
  public final boolean isLive() {
    return isLive(state);
  }

  /** Returns a number that changes with each arming and each stop and never repeats. */
  public final long generation() {
    return generation(state);
  }

  /**
   * Arms this deadline without a change of its entry, for a time that is not earlier. The caller
   * holds the lock; this method releases it. Returns whether the deadline was live before.
   */
  private boolean armInPlace(long before, long when, long period) {
    TimerHeap in = placedIn();
    if (!isLive(before)) {
      in.countZombies(-1);
    }
    unlock(toArmed(before, in, when, period));
    return isLive(before);
  }

  // The following methods are for the heap. The caller of a method whose name begins with "to" must
  // hold the lock, unless no other thread knows the deadline yet. If the method returns a state,
  // the caller must pass that state to unlock or publish.

  static boolean isLive(long state) {
    return (state & LIVE) != 0;
  }

  static boolean isPlaced(long state) {
    return (state & PLACED) != 0;
  }

  static long generation(long state) {
    return state >>> GENERATION_SHIFT;
  }

  boolean isPlaced() {
    return isPlaced(state);
  }

  /**
   * Acquires the lock and returns the state, from which the caller derives the argument of {@link
   * #unlock}.
   */
  long lock() {
    for (int round = 0; ; round = Backoff.SHORT_LOCK.pause(round, osYield())) {
      long before = state;
      if ((before & LOCKED) == 0 && STATE.compareAndSet(this, before, before | LOCKED)) {
        return before;
      }
    }
  }

  void unlock(long after) {
    assert (state & LOCKED) != 0 && (after & LOCKED) == 0 : "unlock of a deadline";
    publish(after);
  }

  /** Writes the state, for {@link #unlock} or for a deadline that no other thread knows yet. */
  void publish(long after) {
    STATE.setRelease(this, after);
  }

  /**
   * Writes the fields of an arming in {@code heap}, and returns the state of the armed deadline,
   * with a new generation.
   */
  long toArmed(long before, TimerHeap heap, long when, long period) {
    this.heap = heap;
    this.when = when;
    this.period = period;
    return heap.nextGeneration(generation(before)) << GENERATION_SHIFT | PLACED | LIVE;
  }

  /** Records that the entry of this live deadline is in {@code heap} now. Returns the state. */
  long toMoved(long before, TimerHeap heap) {
    assert isLive(before) : "a zombie must not be moved";
    this.heap = heap;
    return before;
  }

  /**
   * Returns the state of a deadline without an entry in a heap: the deadline has fired, or it is a
   * zombie that the heap drops.
   */
  long toUnplaced(long before) {
    return before & ~(LIVE | PLACED);
  }

  /**
   * Moves a periodic deadline, which is due, to the first of its times after {@code now}. Returns
   * false if the deadline has no period.
   */
  boolean toNextPeriod(long now) {
    if (period == 0) {
      return false;
    }
    long late = now - when;
    long next =
        now + (late < 0 ? period : period - late % period); // late overflows if when is far below 0
    when = next < now ? TimerHeap.NEVER : next;
    return true;
  }

  /**
   * Whether {@code heap} is the heap of this deadline. The caller must hold the deadline's lock.
   */
  boolean isIn(TimerHeap heap) {
    return this.heap == heap;
  }

  /** Returns the time at which this deadline is due. The caller must hold the deadline's lock. */
  long when() {
    return when;
  }

  private TimerHeap placedIn() {
    return Objects.requireNonNull(heap, "a placed deadline without a heap");
  }

  /**
   * Returns how a waiter yields to the operating system. The method reads {@code heap} without the
   * lock, because all heaps of a scheduler yield in the same way.
   */
  private Runnable osYield() {
    TimerHeap any = heap;
    return any == null ? SPIN : any.osYield();
  }
}
