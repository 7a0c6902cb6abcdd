package io.heddle.internal.watch;

import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread of the JDK's scheduler that is woken from time to time. The time from the
 * wake-up until it runs is the time for which any virtual thread would wait for a carrier at that
 * moment.
 */
final class WatchProbe {
  /*
   * field       written by      read by         mode
   * asked       the watch       both            volatile
   * askedAt     the watch       the watch       plain; a report on another thread may read an old
   *                                             value
   * answered    the probe       both            volatile; written after answeredAt
   * answeredAt  the probe       the watch       plain, ordered by answered
   * closed      any thread      the probe       volatile
   *
   * A question is a wake-up of the probe, and the answer is that the probe runs. asked is the
   * number of the last question, and answered is the number of the last question that was answered.
   * The watch asks only after the last answer, so at most one question is open.
   */
  private final Thread thread = Thread.ofVirtual().name("heddle-watch-probe").unstarted(this::run);
  private volatile int asked;
  private volatile int answered;
  private long answeredAt;
  private long askedAt;
  private volatile boolean closed;

  void start() {
    thread.start();
  }

  /**
   * Asks a question: wakes the probe. Called by the watch, after {@link #hasAnswered} has returned
   * true.
   */
  void ask() {
    askedAt = System.nanoTime();
    asked = answered + 1;
    LockSupport.unpark(thread);
  }

  boolean hasAnswered() {
    return answered == asked;
  }

  /** Returns when the last question was asked, in the time of {@link System#nanoTime}. */
  long askedAt() {
    return askedAt;
  }

  /**
   * Returns how long the probe waited for a carrier, in nanoseconds. Called after
   * {@link #hasAnswered} has returned true.
   */
  long waited() {
    return answeredAt - askedAt;
  }

  boolean isThread(Thread other) {
    return other == thread;
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      int question = asked;
      if (question == answered) {
        LockSupport.park(this);
      } else {
        answeredAt = System.nanoTime();
        answered = question;
      }
    }
  }
}
