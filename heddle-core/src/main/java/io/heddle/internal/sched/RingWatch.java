package io.heddle.internal.sched;

import java.util.Arrays;

/** What an M that looks for work remembers of the rings it has seen. For that M alone. */
final class RingWatch {
  private long[] since = {};
  private int[] taken = {};

  /**
   * For how long at least nobody has been taken from the ring of P number {@code p} although some waited there, in nanoseconds.
   *
   * @param waiting how many wait there now
   * @param takenNow how many have been taken from it, as a wrapping int
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
