package io.heddle.internal.sched;

import java.util.Arrays;

/** What an M that looks for work remembers of the rings it has seen. For that M alone. */
final class RingWatch {
  private long[] since = {};
  private int[] taken = {};

  /**
   * For how long at least nobody has been taken from the ring of {@code p} although some waited there, in nanoseconds.
   *
   * @param waiting how many wait there now
   * @param takenNow how many have been taken from it, as a wrapping int
   */
  long stillFor(P p, int waiting, int takenNow, long now) {
    int i = p.number;
    if (i >= since.length) {
      since = Arrays.copyOf(since, i + 1);
      taken = Arrays.copyOf(taken, i + 1);
      since[i] = now;
    }
    if (waiting == 0 || takenNow != taken[i]) {
      taken[i] = takenNow;
      since[i] = now;
    }
    return now - since[i];
  }
}
