package io.heddle.internal.timer;

import io.heddle.internal.base.StackHeadroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time, and what happens then. It can be armed again and again, also while it is armed, and by any thread.
 *
 * <p>The calls take spin locks for a few instructions and never park, so a goroutine may make them. At the very end of
 * its stack they throw {@link StackOverflowError} before they have done anything.
 */
public abstract class Deadline {
  /*
   * States, in the word: LIVE, it will fire; PLACED, it has an entry in a heap. Live ones are placed.
   *   neither        at first, and after it has fired once and for all
   *   PLACED, LIVE   armed
   *   PLACED         stopped: a zombie, whose entry the heap drops when it comes across it
   * The rest of the word is the generation. LOCKED guards all fields but index; the word itself can be read without.
   *
   * Invariants: a placed one's entry is not later than when; its generation is not before the entry's. So an arming for
   * a time not before the one it has needs no change of the entry: the heap notices when it comes across it.
   *
   * The generation is a Lamport clock: each arming takes one later than all of this deadline and than all armings in the
   * heap so far, so it says both which arming this is and which of two in a heap was first. stop() adds 1.
   *
   * Ordering:
   *   lock's compare-and-set pairs with unlock's release store, for the fields, and for the zombies that the heap counts.
   *   Two that meet, a stop and the heap that fires, are in the order in which they got the lock; who comes second sees
   *   that it is not live any more.
   *   index belongs to the heap's lock. Lock order: heap, deadline. Who holds the lock of a deadline takes no other.
   *
   * Size: 44 bytes with compressed class pointers, so a subclass with one reference is no larger than without, 48.
   *
   * Differences from Go: no mutex with a queue, and no flag that an entry is out of date: comparing tells.
   *
   * Rejected: stop as one compare-and-set without a lock bit. What is counted as a zombie, and where, would no longer be
   * exact, as the entry may be dropped, or moved to another heap, in between. Rejected: moving the entry to the heap
   * that is named by the latest arming, which needs two heaps' locks.
   *
   * Checked by: TimerHeapTest, TimerStressTest, TimerLincheckTest, TimerStress (jcstress), the last three with a broken
   * twin.
   */
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Deadline.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final long LOCKED = 1;
  private static final long LIVE = 2;
  private static final long PLACED = 4;

  /** The generation is what is above the flags. */
  private static final int GENERATION_SHIFT = 3;

  /** Longer than anybody holds the lock who is on a core. */
  private static final int SPINS = 100;

  private volatile long state;
  private long when;
  private long period;
  private @Nullable TimerHeap heap;

  /** Its slot, for the heap. */
  int index;

  /**
   * What happens when it is time. Runs on the thread that runs the heap's due deadlines, which holds no lock of this room
   * then. Must be short, and neither park nor throw.
   *
   * <p>By now it may have been stopped or armed again, which may even fire at the same time on another thread: {@link
   * #generation} tells.
   *
   * @param generation that of the arming that has come due
   */
  protected abstract void fire(long generation);

  /**
   * Arms it for {@code when} and, unless {@code period} is 0, for every {@code period} nanoseconds from then on. Takes the
   * place of an earlier arming.
   *
   * @param heap where to put it, if it has no entry in a heap already
   * @return whether it was live
   * @throws OutOfMemoryError if the heap cannot grow; then it is not live
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
        case NOT_HERE -> {} // somebody else armed it, or moved the heap
      }
    }
  }

  /**
   * As {@link #arm}, for one that was never armed, and that nobody knows but the caller: it need not be locked.
   *
   * @throws OutOfMemoryError if the heap cannot grow; then it is not live
   */
  public final void armFirst(TimerHeap heap, long when) {
    assert state == 0 : "armed before";
    StackHeadroom.ensure();
    while (!heap.last().armFirst(this, when)) {} // it has moved meanwhile
  }

  /**
   * For one that has come due and has no period, while it fires: the same once more, at another time, in the heap it was
   * taken from, which has room for it unless somebody was faster.
   *
   * @throws OutOfMemoryError if it has none, and cannot grow
   */
  protected final void armAgain(long when) {
    boolean _ = arm(placedIn(), when, 0);
  }

  /**
   * Disarms it.
   *
   * @return whether it was live; then that arming will not fire any more, but if it has a period, the firing of one that
   *     is over may be under way
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

  /** Whether it is armed and has not fired for the last time. */
  public final boolean isLive() {
    return isLive(state);
  }

  /** A number that changes with each arming and each stop, and never comes back. */
  public final long generation() {
    return generation(state);
  }

  private boolean armInPlace(long before, long when, long period) {
    TimerHeap in = placedIn();
    if (!isLive(before)) {
      in.countZombies(-1);
    }
    unlock(toArmed(before, in, when, period));
    return isLive(before);
  }

  // For the heap. What begins with "to" is called under the lock and returns the state to unlock
  // with.

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

  /** Returns the state, which is to be handed to {@link #unlock}. */
  long lock() {
    for (int spin = 0; ; spin++) {
      long before = state;
      if ((before & LOCKED) == 0 && STATE.compareAndSet(this, before, before | LOCKED)) {
        return before;
      }
      pause(spin);
    }
  }

  void unlock(long after) {
    assert (state & LOCKED) != 0 && (after & LOCKED) == 0 : "unlock of a deadline";
    publish(after);
  }

  void publish(long after) {
    STATE.setRelease(this, after);
  }

  long toArmed(long before, TimerHeap heap, long when, long period) {
    this.heap = heap;
    this.when = when;
    this.period = period;
    return heap.nextGeneration(generation(before)) << GENERATION_SHIFT | PLACED | LIVE;
  }

  long toMoved(long before, TimerHeap heap) {
    assert isLive(before) : "a zombie is not worth moving";
    this.heap = heap;
    return before;
  }

  /** It is no longer in the heap: fired, or a zombie that is dropped. */
  long toUnplaced(long before) {
    return before & ~(LIVE | PLACED);
  }

  /** It has come due at {@code now}: goes on to the first of its times after that, or says that there is none. */
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

  /** Under the lock. */
  boolean isIn(TimerHeap heap) {
    return this.heap == heap;
  }

  /** Under the lock. */
  long when() {
    return when;
  }

  private TimerHeap placedIn() {
    return Objects.requireNonNull(heap, "placed, but nowhere");
  }

  private void pause(int spin) {
    TimerHeap any = heap; // without the lock: whichever it is, it has the same way to wait
    if (spin < SPINS || any == null) {
      Thread.onSpinWait();
    } else {
      any.osYield();
    }
  }
}
