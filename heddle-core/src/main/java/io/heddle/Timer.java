package io.heddle;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Something that happens once, some time from now: a value in a channel, or a goroutine that starts. A time of zero or
 * less is now.
 *
 * <p>As in Go since 1.23: when {@link #stop} or {@link #reset} has returned, nothing of an earlier setting can be
 * received from {@link #fired} any more. Timers of a scheduler do not keep it from being closed, and do not go off once
 * it is.
 */
public final class Timer {
  private final ChanTimer alarm;

  /** One that sends the time to {@link #fired} when {@code d} is over. */
  public Timer(Duration d) {
    this(new ChanTimer(), d);
  }

  private Timer(ChanTimer alarm, Duration d) {
    this.alarm = alarm;
    alarm.setFirst(Objects.requireNonNull(d, "d"));
  }

  /** A channel that gets the time when {@code d} is over. */
  public static Receiver<Instant> after(Duration d) {
    return new Timer(d).fired();
  }

  /**
   * Go's AfterFunc: runs {@code r} when {@code d} is over, in a goroutine of its own, of the scheduler of the caller. Its
   * {@link Context#current} is that of the caller.
   */
  public static Timer schedule(Duration d, Runnable r) {
    Objects.requireNonNull(r, "r");
    return new Timer(new ChanTimer(CurrentContext.inherited(r::run), r), d);
  }

  /** What is not the user's, and not to know of a context. */
  static Timer scheduleOwn(Duration d, Task task) {
    return new Timer(new ChanTimer(task, task), d);
  }

  /** Where the time comes out, once for each time it goes off. Nothing ever does for one that runs something. */
  public Receiver<Instant> fired() {
    return alarm.chan();
  }

  /**
   * Stops it.
   *
   * @return whether it would have gone off, or has and nobody has received that; false if it is over: what it runs has
   *     been started and may be running, or the time has been received
   */
  public boolean stop() {
    return alarm.silence();
  }

  /**
   * Sets it to {@code d} from now.
   *
   * @return as {@link #stop}
   */
  public boolean reset(Duration d) {
    return alarm.set(Objects.requireNonNull(d, "d"));
  }
}
