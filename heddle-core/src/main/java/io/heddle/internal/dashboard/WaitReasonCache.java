package io.heddle.internal.dashboard;

import io.heddle.internal.sched.G;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out why goroutines wait. Most goroutines record the reason. For a goroutine that blocks in
 * the JDK only its stack shows the reason, and reading a stack costs some microseconds. So each
 * stack is read once per wait, and the number per round is limited. Beyond the limit the reason is
 * {@code park}.
 */
final class WaitReasonCache {
  private record Known(int ranAt, String reason) {}

  /** The number of cached reasons at which the cache is cleared, to limit its memory. */
  private static final int MAX_KNOWN = 100_000;

  private static final String UNKNOWN = "park";

  private final Map<Long, Known> known = new ConcurrentHashMap<>();

  /** One pass over the goroutines. */
  final class Round {
    private int stacksLeft;

    /** Creates a round that reads at most {@code maxStacks} stacks. */
    private Round(int maxStacks) {
      stacksLeft = maxStacks;
    }

    /** Returns the wait reason of {@code g}; empty if it does not wait. */
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
      String reason = g.reason();
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
