package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/** The calls that are marked as blocking and that the goroutine of one M is inside of: they nest (rules S2, S5). */
final class MarkedCall<T> {
  // Its M's and its goroutine's. Sysmon reads depth without synchronization, as a heuristic.
  private int depth;
  private @Nullable T givenUp;

  /** Enters a call; true if the goroutine was in none. */
  boolean enter() {
    return depth++ == 0;
  }

  /** Leaves a call; true if the goroutine is in none now. False also for a call that began on another M. */
  boolean exit() {
    return depth > 0 && --depth == 0;
  }

  /** Leaves all calls: the goroutine has stepped off, and takes no call along. */
  void reset() {
    depth = 0;
    givenUp = null;
  }

  boolean isInside() {
    return depth > 0;
  }

  /** Remembers the P that was given up for the call, to be asked for first when the call is over. */
  void remember(T old) {
    givenUp = old;
  }

  @Nullable T takeGivenUp() {
    T old = givenUp;
    givenUp = null;
    return old;
  }
}
