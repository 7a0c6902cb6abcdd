package io.heddle.internal.wait;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.base.Handles;
import io.heddle.internal.jdk.VirtualThreads;
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
 * The wait of one thread for one of several events, for example at several channels. Each event has
 * a {@link WaitNode} of its own. The thread that causes the first event ends the wait: it
 * <i>fires</i> the node of that event.
 *
 * <p>After the end of the wait this object can be used again, in another <i>round</i>. If the
 * thread waits for a single event, this object is also the node.
 */
public final class WaitState extends WaitNode implements BlockReason {
  /*
   * States: the word consists of the number of the round (high bits) and of how that round ended
   * (the 16 lowest bits):
   *   0          the round is open: it has not ended
   *   index + 1  an event at the node of that index has ended it
   *   GIVEN_UP   the waiter has ended it, because it was interrupted or its time was over
   * Every end is one compare-and-set from the open round, so each round has exactly one end. The
   * word contains the round so that a late event, at a node of an earlier round, ends nothing.
   *
   * Ordering: the thread that fires a node writes its item before; the waiter reads the item after
   * the round has ended. The compare-and-set in fire pairs with the waiter's volatile read of the
   * word. begin stores the word with release only, for two reasons. A thread that may fire the new
   * round learns of it from a queue, under the lock of the queue. A late thread, which knows only
   * an earlier round, fails to fire: the word shows the end of that round or a later round.
   *
   * Checked by: ChanTest, SelectTest, MutexTest, WaitLincheckTest.
   */
  private static final VarHandle WORD = Handles.field(MethodHandles.lookup(), "word", long.class);

  private static final int BITS = 16;
  private static final long END_MASK = (1L << BITS) - 1;
  private static final long GIVEN_UP = END_MASK;

  /**
   * The maximal number of nodes of a wait. The values index + 1, 0 (open) and {@code GIVEN_UP} must
   * fit into the {@code BITS} lowest bits of the word.
   */
  public static final int MAX_PLACES = (int) GIVEN_UP - 1;

  private volatile long word;

  /**
   * The waiting thread; null before the first round and after {@link #forget}. Written by the
   * waiter before a round begins, read by the thread that ends the round.
   */
  private @Nullable Thread thread;

  private String reason = "";

  /** See {@link #setClosedWorld}. */
  private boolean closedWorld;

  /**
   * Begins a round of the wait for the calling thread. Returns the number of the round, which the
   * caller must pass to {@link #joinRound} of each other node. {@code why} is the wait reason that
   * {@link #reason} returns.
   */
  public long begin(String why) {
    thread = Thread.currentThread();
    reason = why;
    long round = (word | END_MASK) + 1;
    WORD.setRelease(this, round);
    joinRound(round);
    return round;
  }

  /** Whether {@code round} is the present round and has not ended. */
  boolean isOpen(long round) {
    return word == round;
  }

  /**
   * Ends the round by the event of node {@code index}. Returns false if the round has ended
   * already.
   */
  boolean fire(long round, int index) {
    return WORD.compareAndSet(this, round, round | (index + 1));
  }

  /**
   * Ends the round without an event: the waiter was interrupted, its time is over, or it cannot
   * park. Returns false if the round has ended already.
   */
  public boolean giveUp(long round) {
    return WORD.compareAndSet(this, round, round | GIVEN_UP);
  }

  /**
   * Unparks the waiter. Only for the thread that ended the round ({@link WaitNode#fire} returned
   * true). It must hold no lock of a channel or another object with waiters.
   */
  public void wakeUp() {
    Parking.unpark(thread);
  }

  /**
   * Returns the index of the node at which an event ended {@code round}. Returns -1 if that round
   * has not ended, or the waiter gave it up.
   */
  public int ended(long round) {
    long w = word;
    return (w & ~END_MASK) != round || (w & END_MASK) == GIVEN_UP ? -1 : (int) (w & END_MASK) - 1;
  }

  /**
   * Waits until an event ends the round, and returns true. If the thread is interrupted before,
   * gives the round up, clears the interrupt status and returns false.
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

  /**
   * Waits until an event ends the round. An interrupt does not end the wait; afterwards the
   * interrupt status is set.
   */
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
   * Waits until an event ends the round, for at most {@code nanos} nanoseconds, and returns true.
   * If the time is over or the thread is interrupted before, gives the round up and returns false.
   * Unlike {@link #await(long)} it keeps the interrupt status, so that the caller can tell the two
   * cases apart.
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
   * Parks the waiter. The park may fail, for example if there is no memory for the stack of an
   * unmounted goroutine. The failure ends the round, unless an event has ended it already.
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

  /** Writes an event to the JDK's flight recorder if the wait was long. */
  private void tell(LongWait event) {
    if (event.isLong()) {
      G g = VirtualThreads.isOpen() ? Sched.current() : null;
      event.tell(g == null ? null : g.sched().name(), g == null ? 0 : g.id(), reason());
    }
  }

  /**
   * Gives the round up because the park has failed with {@code t}, and throws {@code t}, wrapped if
   * it is no Error. If the round has ended already, returns: the waiter need not park any more.
   */
  private void rethrowIfOpen(long round, Throwable t) {
    if (giveUp(round)) {
      if (t instanceof Error e) {
        throw e;
      }
      throw new IllegalStateException(t);
    }
  }

  /**
   * Drops the reference to the waiting thread, so that the collector can free the thread. The
   * thread calls this method when a round is over and the next round may begin much later.
   */
  public void forget() {
    thread = null; // a waker that calls wakeUp after this unparks no thread
  }

  /**
   * Records whether goroutines of the waiter's own scheduler made all objects on which the waiter
   * waits. If so, only such goroutines can end the wait, so the deadlock detector may treat the
   * waiter as blocked forever when none of them can run. Called before the wait.
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
