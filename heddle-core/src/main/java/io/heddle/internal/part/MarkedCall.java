package io.heddle.internal.part;

import org.jspecify.annotations.Nullable;

/**
 * The marked calls that the goroutine of one M is in. A marked call was announced to the scheduler
 * as blocking, by {@code Go.blocking} or by the JDK; Go's {@code entersyscallblock} and {@code
 * exitsyscall}. Marked calls nest (rules S2, S5).
 *
 * @param <T> the type of the P that is released for the outermost call
 */
public final class MarkedCall<T> {
  // Used by the M and its goroutine. Sysmon reads depth without synchronization, as a heuristic.
  private int depth; // how many marked calls the goroutine is in
  private @Nullable T givenUp; // the P that was released for the outermost call

  /** Enters a call; true if the goroutine was in no marked call before. */
  public boolean enter() {
    return depth++ == 0;
  }

  /**
   * Leaves a call; true if that was the outermost call. False if the goroutine is still in another
   * call. Also false if the call began on another M, because then this M knows of no call.
   */
  public boolean exit() {
    return depth > 0 && --depth == 0;
  }

  /**
   * Leaves all calls, because the goroutine has unmounted from the M: on its next M the goroutine
   * is in no call.
   */
  public void reset() {
    depth = 0;
    givenUp = null;
  }

  /** Whether the goroutine of the M is in a marked call. A heuristic for other threads. */
  public boolean isInside() {
    return depth > 0;
  }

  /**
   * Remembers the P that was released for the call. The M tries to acquire it again first when the
   * call is over.
   */
  public void remember(T old) {
    givenUp = old;
  }

  /** Forgets and returns the P that {@link #remember} was called with; null if there is none. */
  public @Nullable T takeGivenUp() {
    T old = givenUp;
    givenUp = null;
    return old;
  }
}
