package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * The marked (known to block) calls that the goroutine of one M is in; they nest (rules S2, S5).
 *
 * @param <T> the type of the P
 */
final class MarkedCall<T> {
  // Used by the M and its goroutine. Sysmon reads depth without synchronization, as a heuristic.
  private int depth;
  private @Nullable T givenUp;

  /** Enters a call; true if the goroutine was in no marked call before. */
  boolean enter() {
    return depth++ == 0;
  }

  /**
   * Leaves a call; true if the goroutine is in no marked call now. False if the call began on
   * another M.
   */
  boolean exit() {
    return depth > 0 && --depth == 0;
  }

  /**
   * Leaves all calls, because the goroutine has stepped off: on its next M the goroutine is in no
   * call.
   */
  void reset() {
    depth = 0;
    givenUp = null;
  }

  boolean isInside() {
    return depth > 0;
  }

  /** Remembers the P that was released for the call: it is tried first when the call is over. */
  void remember(T old) {
    givenUp = old;
  }

  @Nullable T takeGivenUp() {
    T old = givenUp;
    givenUp = null;
    return old;
  }
}
