package io.heddle.cluster;

import io.heddle.Bubble;
import io.heddle.DeadlockException;

/**
 * Runs a simulation under many seeds, each in a bubble of its own. The first that fails is named,
 * and {@code -Dheddle.seed=} with its number runs it alone, in the same way. {@code
 * -Dheddle.seeds=} sets how many are run.
 */
final class Seeds {
  private static final Long ONLY = Long.getLong("heddle.seed");

  private Seeds() {}

  /** A simulation. */
  @FunctionalInterface
  interface Simulation {
    void run(long seed) throws Exception;
  }

  /**
   * Whether only one seed is run, so that not everything happens that a test wants to have seen.
   */
  static boolean isOne() {
    return ONLY != null;
  }

  static void run(int seeds, long maxSteps, Simulation simulation) {
    long first = ONLY == null ? 1 : ONLY;
    long last = ONLY == null ? Integer.getInteger("heddle.seeds", seeds) : ONLY;
    for (long seed = first; seed <= last; seed++) {
      Bubble.Outcome outcome = outcome(seed, maxSteps, simulation);
      if (outcome.failure() != null) {
        String dump =
            outcome.failure() instanceof DeadlockException deadlock ? "\n" + deadlock.dump() : "";
        throw new AssertionError(
            "seed "
                + seed
                + ": "
                + outcome.failure().getMessage()
                + dump
                + "\nTo run it again: -Dheddle.seed="
                + seed,
            outcome.failure());
      }
      if (outcome.outside() > 0) {
        throw new AssertionError("seed " + seed + " depends on threads outside");
      }
    }
  }

  static Bubble.Outcome outcome(long seed, long maxSteps, Simulation simulation) {
    return Bubble.of(seed).maxSteps(maxSteps).run(() -> simulation.run(seed));
  }
}
