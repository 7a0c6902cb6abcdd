package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.wait.WaitNode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is inside of timers and tickers: when it is time, sends the time into a channel, or starts a goroutine. */
final class ChanTimer extends Deadline {
  /*
   * Invariant, under the channel's lock: a value in the channel is of the latest arming, and pending says whether that
   * has still to go off. So who sets or stops it leaves nothing behind, and what it returns is exact.
   *
   * The channel's lock guards what happens to both. A firing that is under way when the alarm is set or stopped finds
   * pending false or another generation, and does nothing.
   *
   * Lock order: channel, heap, deadline. The heap fires without a lock.
   *
   * Checked by: AlarmTest, AlarmStressTest, TimerTest, TickerTest.
   */

  /** How long it waits, in nanoseconds, when there was no memory to go off. */
  private static final long LATER = 10_000_000;

  private final Chan<Instant> chan = Chan.make(1);
  private final Scheduler scheduler;
  private final @Nullable Task task;
  private final @Nullable StackTraceElement site;
  private boolean pending;
  private boolean repeats;

  /** One that sends, by the caller's scheduler. */
  ChanTimer() {
    this.scheduler = Go.scheduler();
    this.task = null;
    this.site = null;
  }

  /** One that starts goroutines of the caller's scheduler; {@code users} is what the user gave. */
  ChanTimer(Task task, Object users) {
    this.scheduler = Go.scheduler();
    this.task = task;
    this.site = CreationSite.of(users);
  }

  Chan<Instant> chan() {
    return chan;
  }

  /** Sets it, whether it was or not. Says whether that has prevented an earlier setting from being seen. */
  boolean set(Duration d) {
    return set(nanos(d), 0);
  }

  /** The same for one that nobody else knows yet: before the heap has it, nobody can want the lock. */
  void setFirst(Duration d) {
    pending = true;
    armFirst(
        scheduler.sched().timersOfCaller(), scheduler.sched().timeAfter(Math.max(0, nanos(d))));
  }

  /** Sets it to go off again and again. */
  void setEvery(Duration d) {
    boolean _ = set(nanos(d), nanos(d));
  }

  /** Says whether that has prevented it from being seen. */
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

  /** Under the lock: whether there was something to forget. */
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
      scheduler.sched().logLater("a timer went off in vain", t);
    }
  }

  /** There was no memory for it. It tries again, unless somebody has set or stopped it, or it comes round anyway. */
  private void fireLater(long generation, Throwable why) {
    chan.lock();
    try {
      if (!repeats && generation() == generation) {
        armAgain(scheduler.sched().timeAfter(LATER));
        pending = true;
      }
    } catch (OutOfMemoryError e) { // not even for that, though it had a place until now
      scheduler.sched().logLater("a timer went off in vain", why);
    } finally {
      chan.unlock();
    }
  }

  /** The time is taken under the lock: two Ms may be here for two ticks, and the later one must not overtake. */
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

  /** Under the lock: whether it may go off for that arming; if so, it has. */
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
