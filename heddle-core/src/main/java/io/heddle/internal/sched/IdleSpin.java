package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;

/**
 * For how long an M that has found nothing looks again before it gives up its P. For that M alone.
 *
 * <p>Goroutines that wake one another have a sleeper woken each time, in case they are not about to wait themselves. To
 * wake a thread costs many times a switch, and this one would find nothing and sleep again. So whoever was woken soon
 * after it fell asleep stays up for longer the next time; whoever slept well does not.
 */
final class IdleSpin {
  /** A wake-up every so often is lost in what else is done meanwhile. */
  static final long MOST = 1_000_000;

  /** What was woken within this had better not slept: about what it takes to fall asleep and to be woken. */
  static final long SHORT_SLEEP = 100_000;

  private static final long LEAST = 5_000;

  /** Between two looks, each of which costs those that are at work a cache miss or two: first so long, then longer. */
  static final long FIRST_PAUSE = 5_000;

  /** Less than it takes to wake a thread. */
  private static final long LONGEST_PAUSE = 40_000;

  private long nanos;

  /** How long it is. */
  long nanos() {
    return nanos;
  }

  /** The M was woken after so many nanoseconds. */
  void slept(long slept) {
    nanos = slept < SHORT_SLEEP ? Math.min(MOST, LEAST + 2 * nanos) : nanos / 4;
    if (nanos < LEAST) {
      nanos = 0;
    }
  }

  /** For so many nanoseconds. Lets others have the CPU, if they want it. Returns for how long to pause the next time. */
  static long pause(long nanos) {
    VirtualThreads.osYield();
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return Math.min(2 * nanos, LONGEST_PAUSE);
  }
}
