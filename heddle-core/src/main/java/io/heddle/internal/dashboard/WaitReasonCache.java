package io.heddle.internal.dashboard;

import io.heddle.internal.sched.G;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out why goroutines wait. Most goroutines record the reason. For a goroutine that blocks in
 * the JDK only its stack shows the reason, and reading a stack takes some microseconds. So for a
 * long wait the stack is read once, and this cache keeps the reason for the rest of the wait. The
 * number of stacks that one {@link Round} (one pass over the goroutines) reads is limited. Beyond
 * the limit the reason is given as {@code park}.
 */
final class WaitReasonCache {
  /*
   * A cached reason belongs to one wait, which G.lastRunTick identifies. That tick is coarse: a
   * goroutine that runs again soon may have the same tick in its next wait. A reason is therefore
   * cached only if the goroutine has not run for SETTLED_NANOS before its stack is read, nor while
   * it is read. A later run gets a later tick, unless sysmon, which advances the tick, is late by
   * SETTLED_NANOS.
   */

  /**
   * A wait reason, and the {@link G#lastRunTick} of the goroutine at its last run before the wait.
   */
  private record Known(int ranAt, String reason) {}

  /** The number of cached reasons at which the cache is cleared, to limit its memory. */
  private static final int MAX_KNOWN = 100_000;

  /**
   * A wait is a long one if the goroutine has not run for at least this time. Only the reason of a
   * long wait is cached.
   */
  private static final long SETTLED_NANOS = 500_000_000;

  /** Given as the reason if only the stack would show it, and the stack is not read. */
  private static final String UNKNOWN = "park";

  private final Map<Long, Known> known = new ConcurrentHashMap<>();

  /** One pass over the goroutines. */
  final class Round {
    private int stacksLeft;

    /** Creates a round that reads at most {@code maxStacks} stacks. */
    private Round(int maxStacks) {
      stacksLeft = maxStacks;
    }

    /**
     * Returns the wait reason of {@code g}; empty if {@code g} does not wait. Returns {@code park}
     * if only the stack would show the reason, and no more stacks may be read.
     */
    String of(G g) {
      String reason = g.reasonWithoutStack();
      return reason == null ? byStack(g) : reason;
    }

    private String byStack(G g) {
      int ranAt = g.lastRunTick();
      Known before = known.get(g.id());
      if (before != null && before.ranAt == ranAt) {
        return before.reason;
      }
      if (stacksLeft <= 0) {
        return UNKNOWN;
      }
      stacksLeft--;
      boolean isSettled = g.nanosSinceLastRun() > SETTLED_NANOS;
      String reason = g.reason();
      if (!isSettled || g.lastRunTick() != ranAt || reason.isEmpty()) {
        return reason;
      }
      if (known.size() >= MAX_KNOWN) {
        known.clear();
      }
      known.put(g.id(), new Known(ranAt, reason));
      return reason;
    }
  }

  /** Starts a round that reads at most {@code maxStacks} stacks. */
  Round round(int maxStacks) {
    return new Round(maxStacks);
  }
}
