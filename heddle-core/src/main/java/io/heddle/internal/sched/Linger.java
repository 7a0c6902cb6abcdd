package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;

/**
 * For how long an M that has found nothing looks again before it gives up its P. For that M alone.
 *
 * <p>Goroutines that wake one another have a sleeper woken each time, in case they are not about to wait themselves. To
 * wake a thread costs many times a switch, and this one would find nothing and sleep again. So whoever was woken soon
 * after it fell asleep stays up for longer the next time; whoever slept well does not.
 */
final class Linger {
  /** A wake-up every so often is lost in what else is done meanwhile. */
  static final long MOST = 200_000;

  /** What was woken within this had better not slept: about what it takes to fall asleep and to be woken. */
  static final long SHORT_SLEEP = 100_000;

  private static final long LEAST = 5_000;

  /** Between two looks: each costs those that are at work a cache miss or two. */
  private static final long PAUSE = 5_000;

  private long nanos;

  /** How long it is. */
  long nanos() {
    return nanos;
  }

  /** The M was woken after so many nanoseconds. */
  void slept(long slept) {
    nanos = slept < SHORT_SLEEP ? Math.min(MOST, LEAST + 2 * nanos) : nanos / 2;
    if (nanos < LEAST) {
      nanos = 0;
    }
  }

  /** Lets others have the CPU, if they want it. */
  static void pause() {
    VirtualThreads.osYield();
    long end = System.nanoTime() + PAUSE;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
