package io.heddle.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * Waits, without parking, for another thread to change a word. A wait has rounds. A round begins
 * with some spins; {@link #SHORT_LOCK} doubles their number from round to round, up to a limit. A
 * later round ends with a yield of the OS thread. If there are background Ms, some of these yields
 * are followed by a nap, a short sleep in the operating system.
 *
 * <pre>{@code
 * int round = 0;
 * while (!tryChange()) {
 *   round = Backoff.SHORT_LOCK.pause(round, osYield);
 * }
 * }</pre>
 *
 * <p>A waiter never parks here. A waiter may be a goroutine that wakes another one, because the JDK
 * calls {@code execute} of the scheduler's executor on the thread of the waking goroutine. A park
 * there would consume that goroutine's park permit. A waiter allocates nothing either, so it also
 * works while there is no memory.
 */
public enum Backoff {
  /**
   * For a lock that is held for a few instructions: 8, 16, 32, 64, then 128 spins and an OS yield
   * in each round. The spins before the first OS yield take a few microseconds, longer than any
   * critical section takes while its holder is on a core. Each read of the lock takes the cache
   * line away from the holder. So a waiter that has often found the lock held reads it less often.
   * Decision 20 in docs/decisions has the measurements.
   */
  SHORT_LOCK(8, 128, 4),

  /**
   * For a change that another thread makes soon and without waking a waiter, such as an M that
   * changes the state of its P: one spin per round. After 64 rounds (about a microsecond) each
   * round ends with an OS yield. Longer spins were not measured for these waits.
   */
  STATE_CHANGE(1, 1, 64);

  /**
   * The number of OS yields before each nap. If the holder is preempted for a short time only, the
   * yields suffice and the waiter never naps.
   */
  private static final int YIELDS_PER_NAP = 16;

  /** Sleeps for a short time in the operating system; null while there are no background Ms. */
  private static volatile @Nullable Runnable nap;

  private final int firstSpins;
  private final int maxSpins;
  private final int spinOnlyRounds;

  Backoff(int firstSpins, int maxSpins, int spinOnlyRounds) {
    this.firstSpins = firstSpins;
    this.maxSpins = maxSpins;
    this.spinOnlyRounds = spinOnlyRounds;
  }

  /**
   * Lets waiters call {@code sleep} after every {@link #YIELDS_PER_NAP} OS yields; null ends this.
   * Called because waiters may now wait for a thread of low priority, which an OS yield does not
   * let run.
   */
  public static void napWith(@Nullable Runnable sleep) {
    nap = sleep;
  }

  /**
   * Waits for one round.
   *
   * @param round 0 in the first round, then the result of the previous one
   * @param osYield gives the rest of the thread's time slice to another thread of the process
   * @return the number of the next round
   */
  public int pause(int round, Runnable osYield) {
    for (int i = spins(round); i > 0; i--) {
      Thread.onSpinWait();
    }
    if (!yields(round)) {
      return round + 1;
    }
    osYield.run();
    if (round < spinOnlyRounds + YIELDS_PER_NAP - 1) {
      return round + 1;
    }
    Runnable sleep = nap;
    if (sleep != null) {
      sleep.run();
    }
    return spinOnlyRounds;
  }

  /**
   * Returns the number of spins in {@code round}. The number doubles from round to round, up to
   * {@code maxSpins}.
   */
  int spins(int round) {
    return (int) Math.min(maxSpins, (long) firstSpins << Math.min(round, 31));
  }

  /** Whether {@code round} ends with an OS yield. */
  boolean yields(int round) {
    return round >= spinOnlyRounds;
  }
}
