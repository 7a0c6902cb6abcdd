package io.heddle.internal.policy;

import java.util.Arrays;

/**
 * Remembers, for an M that steals, since when the ring (the queue) of each P has not moved. Used by
 * that M alone.
 *
 * <p>A ring has not moved if the number of goroutines ever taken from it ({@code
 * RunQueue.headIndex}) is the same as at the last look of this M. The P itself does not record when
 * its ring moved, because that would cost a write for each goroutine. So each M remembers what it
 * saw.
 */
public final class RingWatch {
  // Both indexed by the number of the P.
  private long[] since = {}; // the last look at which the ring was empty, or taken had changed
  private int[] taken = {}; // RunQueue.headIndex at the last look

  /**
   * Returns for how many nanoseconds, at least, goroutines have waited in the ring of P number
   * {@code p} while none was taken from it.
   *
   * @param waiting how many goroutines wait in the ring now
   * @param takenNow how many goroutines have ever been taken from the ring, as a wrapping int
   * @param now the time of this look, in nanoseconds
   */
  public long stillFor(int p, int waiting, int takenNow, long now) {
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
