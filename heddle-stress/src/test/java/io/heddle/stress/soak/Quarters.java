package io.heddle.stress.soak;

import java.util.List;

/**
 * The resources in use early and late in the run: the medians of the first and the last quarter of
 * the rounds.
 */
record Quarters(long early, long late) {
  /** The allowed growth of a JVM, in bytes and as a fraction: caches, and tables of its own. */
  private static final long SOME = 16 << 20;

  private static final double PART = 1.25;

  /** The first round, which loads everything, does not count if there are others. */
  static Quarters of(List<Long> rounds) {
    List<Long> later = rounds.size() > 1 ? rounds.subList(1, rounds.size()) : rounds;
    int quarter = Math.max(1, later.size() / 4);
    return new Quarters(
        median(later.subList(0, quarter)),
        median(later.subList(later.size() - quarter, later.size())));
  }

  boolean grows() {
    return late > SOME + PART * early;
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  @Override
  public String toString() {
    return "%.1f MB in use early, %.1f MB late".formatted(early / 1e6, late / 1e6);
  }
}
