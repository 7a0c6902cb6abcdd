package io.heddle.internal.wait;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.base.Handles;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.jfr.LongWait;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.sched.SchedulingPoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one thread for one of several events, each at a {@link WaitNode} of its own. The
 * first event ends the wait.
 *
 * <p>After the end of the wait this object can be used again, in another round. If the thread waits
 * for a single event, this object is also the node.
 */
public final class WaitState extends WaitNode implements BlockReason {
  /*
   * States: word = (round, end). OPEN: the round has not ended. An index + 1: an event at the node
   * of that index has ended it. GIVEN_UP: the waiter has ended it, because it was interrupted or
   * its time was over. Every end is one compare-and-set from OPEN, so each round has exactly one
   * end. The word contains the round so that a late event, at a node of an earlier round, ends
   * nothing.
   *
   * Ordering: the item of a node is written before fire and read after ended. The compare-and-set
   * in fire pairs with the volatile read of the word. begin stores the word with release only. A
   * thread that can fire the new round learns of it from a queue, under the lock of the queue. Any
   * other thread sees either the old word, which has ended, or a round that it does not know; its
   * fire fails in both cases.
   *
   * Checked by: ChanTest, SelectTest, MutexTest, WaitLincheckTest.
   */
  private static final VarHandle WORD = Handles.field(MethodHandles.lookup(), "word", long.class);

  private static final int BITS = 16;
  private static final long END_MASK = (1L << BITS) - 1;
  private static final long GIVEN_UP = END_MASK;

  /**
   * The maximal number of nodes of a wait. The index of a node, and two other values, must fit into
   * the {@code BITS} lowest bits of the word.
   */
  public static final int MAX_PLACES = (int) GIVEN_UP - 1;

  private volatile long word;
  private @Nullable Thread thread;
  private String reason = "";
  private boolean closedWorld;

  /**
   * Begins a round of the wait for the calling thread. Returns the number of the round, with which
   * the nodes join it.
   */
  public long begin(String why) {
    thread = Thread.currentThread();
    reason = why;
    long round = (word | END_MASK) + 1;
    WORD.setRelease(this, round);
    joinRound(round);
    return round;
  }

  boolean isOpen(long round) {
    return word == round;
  }

  boolean fire(long round, int index) {
    return WORD.compareAndSet(this, round, round | (index + 1));
  }

  /** Ends the round on behalf of the waiter; false if an event has ended it. */
  public boolean giveUp(long round) {
    return WORD.compareAndSet(this, round, round | GIVEN_UP);
  }

  /**
   * Unparks the waiter. The caller must have got true from {@link WaitNode#fire}, and must hold no
   * lock.
   */
  public void wakeUp() {
    Parking.unpark(thread);
  }

  /**
   * Returns the index of the node that ended this round; -1 if it has not ended or was given up.
   */
  public int ended(long round) {
    long w = word;
    return (w & ~END_MASK) != round || (w & END_MASK) == GIVEN_UP ? -1 : (int) (w & END_MASK) - 1;
  }

  /**
   * Waits for the end of the round; false if the thread was interrupted first, and has given up.
   */
  public boolean await(long round) {
    boolean interrupted = false;
    while (word == round) {
      park(round);
      if (Thread.interrupted()) {
        if (giveUp(round)) {
          return false;
        }
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /** Waits for the end of the round, even if the thread is interrupted. */
  public void awaitUninterruptibly(long round) {
    boolean interrupted = false;
    while (word == round) {
      park(round);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits like {@link #await(long)} for at most {@code nanos}; returns false also when that time is
   * over.
   */
  public boolean await(long round, long nanos) {
    long end = SchedClock.nanoTime() + nanos;
    boolean interrupted = false;
    closedWorld = false; // the clock can end this wait
    while (word == round) {
      long left = end - SchedClock.nanoTime();
      if (left <= 0 && giveUp(round)) {
        break;
      }
      parkNanos(round, Math.max(1, left));
      if (Thread.interrupted()) {
        interrupted = true;
        if (giveUp(round)) {
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended(round) >= 0;
  }

  /**
   * Parks the waiter. If the JDK lacks the memory to unmount the waiter's stack, that failure ends
   * the wait, unless an event has ended it already.
   */
  private void park(long round) {
    LongWait event = JfrEvents.waitBegins();
    try {
      Parking.park(this);
    } catch (Throwable t) {
      rethrowIfOpen(round, t);
    }
    if (event != null) {
      tell(event);
    }
  }

  private void parkNanos(long round, long nanos) {
    LongWait event = JfrEvents.waitBegins();
    try {
      G driven = SchedulingPoint.driverOfCaller() == null ? null : Sched.current();
      if (driven == null) {
        LockSupport.parkNanos(this, nanos);
      } else {
        Sleep.park(driven.sched(), this, nanos);
      }
    } catch (Throwable t) {
      rethrowIfOpen(round, t);
    }
    if (event != null) {
      tell(event);
    }
  }

  private void tell(LongWait event) {
    if (event.isLong()) {
      G g = Sched.current();
      event.tell(g == null ? null : g.sched().name(), g == null ? 0 : g.id(), reason());
    }
  }

  private void rethrowIfOpen(long round, Throwable t) {
    if (giveUp(round)) {
      if (t instanceof Error e) {
        throw e;
      }
      throw new IllegalStateException(t);
    }
  }

  /**
   * Drops the reference to the waiting thread. That thread calls this method when a round is over
   * and the next round may begin much later.
   */
  public void forget() {
    thread = null; // a late waker then unparks no thread
  }

  /**
   * Records whether goroutines of the waiter's own scheduler made everything that the waiter waits
   * for. The deadlock detector asks for this. Called before the wait.
   */
  public void setClosedWorld(boolean isInside) {
    closedWorld = isInside;
  }

  @Override
  public boolean isInside() {
    return closedWorld;
  }

  @Override
  public String reason() {
    return reason;
  }
}
