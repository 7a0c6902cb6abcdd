package io.heddle.internal.policy;

import io.heddle.internal.base.FastRandom;

/**
 * What an M remembers of its searches for work. Used by that M alone, except for {@link
 * #lastVictim}, which observers read.
 */
public final class WorkSearch {
  /** For how long the M scans the queues again before it sleeps. */
  public final IdleSpin idleSpin = new IdleSpin();

  /** When goroutines were last taken from the rings of other Ps. */
  public final RingWatch ringWatch = new RingWatch();

  /** Chooses the order in which the M visits other Ps. */
  public final FastRandom random;

  /** The number of the P that the M stole from last; -1 if it has not stolen yet. */
  public int lastVictim = -1;

  public WorkSearch(long seed) {
    random = new FastRandom(seed);
  }
}
