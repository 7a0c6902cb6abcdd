package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.wait.WaitNode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The mechanism of timers and tickers: at its time it sends the time to a channel, or starts a
 * goroutine.
 */
final class ChanTimer extends Deadline {
  /*
   * Invariant, under the channel's lock: a value in the channel belongs to the latest arming, and
   * pending says whether that arming has still to fire. So setting or stopping the timer leaves no
   * old value, and their results are exact.
   *
   * The channel's lock guards both. A firing that is under way when the timer is set or stopped
   * finds pending false or another generation, and does nothing.
   *
   * Lock order: channel, heap, deadline. The heap fires without a lock.
   *
   * Checked by: ChanTimerTest, ChanTimerStressTest, TimerTest, TickerTest.
   */

  /** The delay in nanoseconds before it tries again to fire when there was no memory. */
  private static final long LATER = 10_000_000;

  private final Chan<Instant> chan = Chan.make(1);
  private final Scheduler scheduler;
  private final @Nullable Task task;
  private final @Nullable StackTraceElement site;
  private boolean pending;
  private boolean repeats;

  /** Makes a timer of the caller's scheduler that sends the time. */
  ChanTimer() {
    this.scheduler = Go.scheduler();
    this.task = null;
    this.site = null;
  }

  /**
   * Makes a timer that starts goroutines of the caller's scheduler. {@code users} is the task as
   * the user passed it; its class determines the recorded creation site.
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
   * Sets the timer to {@code d} from now. Returns whether that prevented an earlier setting from
   * firing or from being received.
   */
  boolean set(Duration d) {
    return set(nanos(d), 0);
  }

  /**
   * Sets a timer that no other thread knows yet. It needs no lock, because no thread can want it
   * before the timer is in the heap.
   */
  void setFirst(Duration d) {
    pending = true;
    armFirst(
        scheduler.sched().timersOfCaller(), scheduler.sched().timeAfter(Math.max(0, nanos(d))));
  }

  /** Sets the timer to fire repeatedly. */
  void setEvery(Duration d) {
    boolean _ = set(nanos(d), nanos(d));
  }

  /**
   * Stops the timer. Returns whether that prevented it from firing or its value from being
   * received.
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
      boolean _ =
          arm(
              scheduler.sched().timersOfCaller(),
              scheduler.sched().timeAfter(Math.max(0, nanos)),
              period);
      pending = true;
      return had;
    } finally {
      chan.unlock();
    }
  }

  /**
   * Under the lock: drops a pending arming and an unreceived value. Returns whether there was one.
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
      scheduler.sched().logLater("a timer could not fire", t);
    }
  }

  /**
   * Arms the timer again after there was no memory to fire. Does nothing if the timer was set or
   * stopped meanwhile, or repeats anyway.
   */
  private void fireLater(long generation, Throwable why) {
    chan.lock();
    try {
      if (!repeats && generation() == generation) {
        armAgain(scheduler.sched().timeAfter(LATER));
        pending = true;
      }
    } catch (OutOfMemoryError e) { // there is no memory even for that
      scheduler.sched().logLater("a timer could not fire", why);
    } finally {
      chan.unlock();
    }
  }

  /**
   * Sends the time. Reads the clock under the lock, because two Ms may be here for two ticks, and
   * the later tick must not overtake the earlier one.
   */
  private void ring(long generation) {
    chan.lock();
    WaitNode met;
    try {
      met = isLatest(generation) ? chan.sendLocked(scheduler.sched().instant()) : null;
    } finally {
      chan.unlock();
    }
    Chan.wake(met);
  }

  private boolean claim(long generation) {
    chan.lock();
    try {
      return isLatest(generation);
    } finally {
      chan.unlock();
    }
  }

  /**
   * Under the lock: whether the arming with that generation is the current one and is pending. If
   * so, marks it as fired; a timer that repeats stays pending.
   */
  private boolean isLatest(long generation) {
    if (!pending || generation() != generation) {
      return false;
    }
    pending = repeats;
    return true;
  }

  private static long nanos(Duration d) {
    return TimeUnit.NANOSECONDS.convert(d);
  }
}
