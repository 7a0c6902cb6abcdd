package io.heddle.internal.sched;

import io.heddle.internal.base.FastRandom;

/**
 * What an M remembers of its searches for work. Used by that M alone, except for {@link
 * #lastVictim}, which observers read.
 */
final class WorkSearch {
  final IdleSpin idleSpin = new IdleSpin();
  final RingWatch ringWatch = new RingWatch();
  final FastRandom random;

  /** The number of the P that the M stole from last; -1 if it has not stolen yet. */
  int lastVictim = -1;

  WorkSearch(long seed) {
    random = new FastRandom(seed);
  }
}
