package io.heddle.internal.sched;

import java.util.Arrays;

/**
 * Remembers, for an M that steals, since when the ring of each P has not moved. Used by that M
 * alone.
 *
 * <p>Each observer keeps its own memory of the same fact, {@code RunQueue.headIndex}, because each
 * asks about the time since its own last look: a thief here, sysmon in its observations, the stall
 * detector in its own. A shared stamp would cost the owner a write per goroutine.
 */
final class RingWatch {
  private long[] since = {};
  private int[] taken = {};

  /**
   * Returns for how many nanoseconds, at least, goroutines have waited in the ring of P number
   * {@code p} while none was taken from it.
   *
   * @param waiting how many goroutines wait in the ring now
   * @param takenNow how many goroutines have ever been taken from the ring, as a wrapping int
   */
  long stillFor(int p, int waiting, int takenNow, long now) {
    if (p >= since.length) {
      since = Arrays.copyOf(since, p + 1);
      taken = Arrays.copyOf(taken, p + 1);
      since[p] = now;
    }
    if (waiting == 0 || takenNow != taken[p]) {
      taken[p] = takenNow;
      since[p] = now;
    }
    return now - since[p];
  }
}
