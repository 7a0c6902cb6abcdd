package io.heddle;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * An event at one time in the future: sends the time to a channel, or runs code in a new goroutine.
 * As Go's {@code time.Timer}.
 *
 * {@snippet :
 * Timer timeout = Timer.schedule(Duration.ofSeconds(30), connection::close);
 * connection.handshake();
 * timeout.stop();                        // too late if it returns false
 * }
 *
 * {@snippet :
 * Timer idle = new Timer(Duration.ofMinutes(5));
 * while (true) {
 *   Case<Request> request = recv(requests);
 *   if (select(request, recv(idle.fired())) != request) {
 *     break;                             // no request for five minutes
 *   }
 *   handle(request.value());
 *   idle.reset(Duration.ofMinutes(5));
 * }
 * }
 *
 * <p>A duration of zero or less means now. A timer belongs to the scheduler of the goroutine that
 * made it, or else to the shared scheduler. The scheduler can be closed although the timer is set;
 * after that the timer does not fire.
 *
 * <p>All methods can be called from any thread at the same time, and none of them waits. As in Go
 * since 1.23, after {@link #stop} or {@link #reset} has returned, no value of an earlier setting
 * can be received from {@link #fired}.
 *
 * <p>Memory consistency: actions before the timer is made, and before a {@link #reset},
 * <i>happen-before</i> the actions of the code that the timer then runs. They also
 * <i>happen-before</i> actions after the receive of the value that the timer then sends.
 */
public final class Timer {
  private final ChanTimer alarm;

  /**
   * Makes a timer that sends the time to {@link #fired} after {@code d}.
   *
   * @param d the delay
   */
  public Timer(Duration d) {
    this(new ChanTimer(), d);
  }

  private Timer(ChanTimer alarm, Duration d) {
    this.alarm = alarm;
    alarm.setFirst(Objects.requireNonNull(d, "d"));
  }

  /**
   * Returns a channel that receives the time after {@code d}: Go's {@code time.After}. In a
   * {@link Select}, {@link Select#after(Duration)} needs less memory.
   *
   * @param d the delay
   * @return a channel that gets one value and is never closed
   */
  public static Receiver<Instant> after(Duration d) {
    return new Timer(d).fired();
  }

  /**
   * Runs {@code r} after {@code d} in a goroutine of its own: Go's {@code time.AfterFunc}. The
   * goroutine belongs to the caller's scheduler and inherits the caller's {@link Context#current},
   * and what a {@link Carry} carries. What {@code r} throws goes to the scheduler's
   * {@linkplain Scheduler.Builder#uncaught handler}.
   *
   * @param d the delay
   * @param r what to run
   * @return the timer, to stop or reset it
   */
  public static Timer schedule(Duration d, Runnable r) {
    Objects.requireNonNull(r, "r");
    Task inherits = Go.scheduler().carried(CurrentContext.inherited(r::run));
    return new Timer(new ChanTimer(inherits, r), d);
  }

  /** Runs a task of the library itself after {@code d}, without the caller's context. */
  static Timer scheduleOwn(Duration d, Task task) {
    return new Timer(new ChanTimer(task, task), d);
  }

  /**
   * Returns the channel that gets the time each time this timer fires. It is never closed. A timer
   * that {@linkplain #schedule runs code} sends nothing there.
   *
   * @return the same channel each time
   */
  public Receiver<Instant> fired() {
    return alarm.chan();
  }

  /**
   * Stops this timer. This does not stop code that is already running.
   *
   * @return true if this prevented the timer from firing, or discarded a value that was not
   *     received yet; false if the timer was stopped before, if its value was received, or if its
   *     code was started
   */
  public boolean stop() {
    return alarm.silence();
  }

  /**
   * Sets this timer to fire {@code d} from now, whether or not it has fired or was stopped. Code of
   * an earlier setting that was started may still be running.
   *
   * @param d the new delay
   * @return what {@link #stop} would have returned
   */
  public boolean reset(Duration d) {
    return alarm.set(Objects.requireNonNull(d, "d"));
  }
}
