package io.heddle.internal.policy;

import io.heddle.internal.jdk.VirtualThreads;

/**
 * Decides for how long an M that has found nothing keeps scanning the queues before it releases its
 * P. Used by that M alone.
 *
 * <p>A goroutine that wakes another one also wakes a sleeping M, in case the waker itself does not
 * park. If the waker does park, the woken M finds nothing and sleeps again. Such a wakeup in vain
 * costs as much as many switches of goroutines. Therefore an M that was woken soon after it fell
 * asleep spins longer the next time. An M that slept long spins a quarter as long as before.
 * Decisions 10 and 24 have the figures.
 */
public final class IdleSpin {
  /**
   * The longest spin: 1 ms. An M that spins this long before each sleep is woken at most once per
   * ms, so a longer spin would save next to nothing.
   */
  public static final long MAX_SPIN_NANOS = 1_000_000;

  /**
   * The duration below which a sleep did not pay off: about what it costs to fall asleep and to be
   * woken.
   */
  public static final long SHORT_SLEEP_NANOS = 100_000;

  /** The shortest spin. An M that would spin for less does not spin at all. */
  private static final long MIN_SPIN_NANOS = 5_000;

  /**
   * The pause between the first two scans. Each further pause is twice as long, up to {@link
   * #MAX_PAUSE_NANOS}, because each scan costs the busy Ps a cache miss or two.
   */
  public static final long FIRST_PAUSE_NANOS = 5_000;

  /** The longest pause between scans: less than it takes to wake a thread. */
  private static final long MAX_PAUSE_NANOS = 40_000;

  private long nanos;

  /** Returns how long the M spins before its next sleep; 0 if it does not spin. */
  public long nanos() {
    return nanos;
  }

  /** Adapts the spin after the M was woken from a sleep of {@code slept} nanoseconds. */
  public void slept(long slept) {
    nanos =
        slept < SHORT_SLEEP_NANOS
            ? Math.min(MAX_SPIN_NANOS, MIN_SPIN_NANOS + 2 * nanos)
            : nanos / 4;
    if (nanos < MIN_SPIN_NANOS) {
      nanos = 0;
    }
  }

  /**
   * Pauses for about {@code nanos}, and lets other threads have the CPU. Returns for how long to
   * pause the next time.
   */
  public static long pause(long nanos) {
    VirtualThreads.osYield();
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return Math.min(2 * nanos, MAX_PAUSE_NANOS);
  }
}
