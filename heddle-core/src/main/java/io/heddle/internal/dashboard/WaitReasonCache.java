package io.heddle.internal.dashboard;

import io.heddle.internal.sched.G;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why goroutines wait. Most say so themselves. Of those that block in the JDK without a word only the stack tells; a look
 * at it costs some microseconds, so each is looked at once per wait, and so many per round at most: the others are said to
 * be parked.
 */
final class WaitReasonCache {
  private record Known(int ranAt, String reason) {}

  /** What is known beyond these is forgotten, all at once. */
  private static final int MOST_KNOWN = 100_000;

  private static final String UNKNOWN = "park";

  private final Map<Long, Known> known = new ConcurrentHashMap<>();

  /** One pass over goroutines. */
  final class Round {
    private int looks;

    /** {@code looks} at stacks at most. */
    private Round(int looks) {
      this.looks = looks;
    }

    /** Empty if it does not wait. */
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
      if (looks <= 0) {
        return UNKNOWN;
      }
      looks--;
      String reason = g.reason();
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.put(g.id(), new Known(ranAt, reason));
      return reason;
    }
  }

  Round round(int looks) {
    return new Round(looks);
  }
}
