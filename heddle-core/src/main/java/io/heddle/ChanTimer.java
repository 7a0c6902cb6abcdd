package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.wait.WaitNode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The mechanism of {@link Timer} and {@link Ticker}. When a ChanTimer fires, it sends the current
 * time to its channel, or starts a goroutine.
 */
final class ChanTimer extends Deadline {
  /*
   * An arming is one setting of the timer: the time at which it fires, and perhaps an interval.
   * Each arming has a number, the generation of the Deadline.
   *
   * Invariant, under the channel's lock: a value in the channel belongs to the latest arming, and
   * pending says whether that arming has still to fire. Under the lock, set and silence drop the
   * value and end the pending arming. So after they return, no old value is in the channel. They
   * return true if and only if there was a value or a pending arming.
   *
   * A call of fire may be under way when the timer is set or stopped. If fire gets the channel's
   * lock after that, it finds pending false or another generation, and does nothing.
   *
   * Locks are taken in this order: channel, heap of timers, deadline. The heap holds no lock when
   * it calls fire.
   *
   * Checked by: ChanTimerTest, ChanTimerStressTest, TimerTest, TickerTest.
   */

  /** The nanoseconds after which a timer tries again if there was no memory for it to fire. */
  private static final long LATER = 10_000_000;

  private final Chan<Instant> chan = Chan.make(1);
  private final Scheduler scheduler;
  private final @Nullable Task task;
  private final @Nullable StackTraceElement site;

  /** Whether the latest arming has still to fire. Guarded by the channel's lock. */
  private boolean pending;

  /** Whether the timer fires at intervals. Guarded by the channel's lock. */
  private boolean repeats;

  /** Makes a timer of the caller's scheduler that sends the time to its channel when it fires. */
  ChanTimer() {
    this.scheduler = Go.scheduler();
    this.task = null;
    this.site = null;
  }

  /**
   * Makes a timer that starts goroutines of the caller's scheduler. {@code users} is the task as
   * the user passed it. Its class determines the creation site, the place in the program that dumps
   * show as the start of a goroutine.
   */
  ChanTimer(Task task, Object users) {
    this.scheduler = Go.scheduler();
    this.task = task;
    this.site = CreationSite.of(users);
  }

  Chan<Instant> chan() {
    return chan;
  }

  /**
   * Sets the timer to fire {@code d} from now. Returns whether this call prevented an earlier
   * setting from firing, or discarded the value of that setting before a thread received it.
   */
  boolean set(Duration d) {
    return set(nanos(d), 0);
  }

  /**
   * Sets a new timer, which no other thread knows yet, to fire {@code d} from now. This method does
   * not lock the channel, because no other thread can use the timer before it is in the heap.
   */
  void setFirst(Duration d) {
    pending = true;
    armFirst(scheduler.timersOfCaller(), scheduler.timeAfter(Math.max(0, nanos(d))));
  }

  /** Sets the timer to fire repeatedly: {@code d} from now, and then every {@code d}. */
  void setEvery(Duration d) {
    boolean _ = set(nanos(d), nanos(d));
  }

  /**
   * Stops the timer. Returns whether this call prevented the timer from firing, or discarded the
   * timer's value before a thread received it.
   */
  boolean silence() {
    StackHeadroom.ensure();
    chan.lock();
    try {
      boolean had = forget();
      boolean _ = stop();
      return had;
    } finally {
      chan.unlock();
    }
  }

  private boolean set(long nanos, long period) {
    StackHeadroom.ensure();
    chan.lock();
    try {
      boolean had = forget();
      repeats = period != 0;
      boolean _ = arm(scheduler.timersOfCaller(), scheduler.timeAfter(Math.max(0, nanos)), period);
      pending = true;
      return had;
    } finally {
      chan.unlock();
    }
  }

  /**
   * Drops a pending arming, which then does not fire, and a value that no thread has received.
   * Returns whether there was an arming or a value to drop. The caller holds the channel's lock.
   */
  private boolean forget() {
    boolean had = pending || chan.length() > 0;
    pending = false;
    if (chan.length() > 0) {
      var _ = chan.receiveLocked();
      var _ = chan.takeTaken();
    }
    return had;
  }

  @Override
  protected void fire(long generation) {
    try {
      if (task == null) {
        ring(generation);
      } else if (claim(generation)) {
        scheduler.startOwn(task, site);
      }
    } catch (OutOfMemoryError e) {
      fireLater(generation, e);
    } catch (Throwable t) {
      scheduler.logLater("a timer could not fire", t);
    }
  }

  /**
   * Arms the timer again, because there was no memory to fire. Does nothing if the timer was set or
   * stopped meanwhile. A timer that repeats is not armed again, because it has a next tick anyway.
   */
  private void fireLater(long generation, Throwable why) {
    chan.lock();
    try {
      if (!repeats && generation() == generation) {
        armAgain(scheduler.timeAfter(LATER));
        pending = true;
      }
    } catch (OutOfMemoryError e) { // there is no memory to arm the timer either
      scheduler.logLater("a timer could not fire", why);
    } finally {
      chan.unlock();
    }
  }

  /**
   * Sends the time to the channel if arming {@code generation} is pending. Drops the time if the
   * channel is full. Two threads may be in this method at once, for two ticks of the same timer.
   * The clock is read under the lock, so that the times in the channel never go back.
   */
  private void ring(long generation) {
    chan.lock();
    WaitNode met;
    try {
      met = isLatest(generation) ? chan.sendLocked(scheduler.instant()) : null;
    } finally {
      chan.unlock();
    }
    Chan.wake(met);
  }

  /** Calls {@link #isLatest} under the channel's lock, and returns its result. */
  private boolean claim(long generation) {
    chan.lock();
    try {
      return isLatest(generation);
    } finally {
      chan.unlock();
    }
  }

  /**
   * Returns whether the arming with number {@code generation} is the current one and is pending. If
   * so, marks the arming as fired; a timer that repeats stays pending. The caller holds the
   * channel's lock.
   */
  private boolean isLatest(long generation) {
    if (!pending || generation() != generation) {
      return false;
    }
    pending = repeats;
    return true;
  }

  /** Returns {@code d} in nanoseconds; the nearest long if that is out of range. */
  private static long nanos(Duration d) {
    return TimeUnit.NANOSECONDS.convert(d);
  }
}
