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
 * A thread's wait for one of several things, each at a {@link WaitNode} of its own: the first that is brought ends it.
 *
 * <p>It can be used again when it is over, in another round. With only one place to wait at, it is that place.
 */
public final class WaitState extends WaitNode implements BlockReason {
  /*
   * States, in the word: (round, how it ended). OPEN: it has not; an index + 1: by what came to that place; GIVEN_UP: by
   * the waiter, which was interrupted or has waited long enough. Every end is one compare-and-set from OPEN, so there is
   * one. The round is in it so that whoever comes late, with a place of an earlier round, ends nothing.
   *
   * Ordering: the item of a place is written before fire and read after ended: the compare-and-set pairs with the
   * volatile read of the word. begin's store is only released: those who can fire the new round learn of it from a queue,
   * under its lock; to all others the old word looks as ended as the new one looks strange.
   *
   * Checked by: ChanTest, SelectTest, MutexTest, WaitLincheckTest.
   */
  private static final VarHandle WORD = Handles.field(MethodHandles.lookup(), "word", long.class);

  private static final int BITS = 16;
  private static final long END_MASK = (1L << BITS) - 1;
  private static final long GIVEN_UP = END_MASK;

  /** How many places a wait can have. */
  public static final int MAX_PLACES = (int) GIVEN_UP - 1;

  private volatile long word;
  private @Nullable Thread thread;
  private String reason = "";
  private boolean closedWorld;

  /** The calling thread begins a round; returns its number, for the places. */
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

  /** The waiter has no time any more; false if something has ended the wait. */
  public boolean giveUp(long round) {
    return WORD.compareAndSet(this, round, round | GIVEN_UP);
  }

  /** Behind a {@link WaitNode#fire} that was true, and without a lock: the waiter goes on. */
  public void wakeUp() {
    Parking.unpark(thread);
  }

  /** The index of the place whose item ended this round; -1 if it has not ended, or was given up. */
  public int ended(long round) {
    long w = word;
    return (w & ~END_MASK) != round || (w & END_MASK) == GIVEN_UP ? -1 : (int) (w & END_MASK) - 1;
  }

  /** Waits for the end of the round; false if the thread was interrupted before, and has given up. */
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

  /** The same, whatever interrupts it. */
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

  /** The same as {@link #await(long)}, for so many nanoseconds; false also if they are over, and it has given up. */
  public boolean await(long round, long nanos) {
    long end = SchedClock.nanoTime() + nanos;
    boolean interrupted = false;
    closedWorld = false; // time ends it
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

  /** To step off, the JDK needs room for the stack, and may find none: that is the end of the wait, if nothing else is. */
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

  /** For the waiter, when a round is over and it may be long until the next. */
  public void forget() {
    thread = null; // whoever is about to wake it does no harm
  }

  /** For the waiter, before it waits: whether all it waits for was made by goroutines of its scheduler. */
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
