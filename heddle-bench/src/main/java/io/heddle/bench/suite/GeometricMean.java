package io.heddle.bench.suite;

import java.util.Locale;

/**
 * The geometric mean of how many times better Heddle is than another contender, over the figures
 * that count and that both have. A figure that is 0, negative or infinite has no ratio.
 */
record GeometricMean(double ratio, int count) {
  static GeometricMean of(Results results, Contender contender) {
    return of(results, contender, false);
  }

  /**
   * As {@link #of}, but an event that never came counts as having taken the whole observation time,
   * which is a lower bound.
   */
  static GeometricMean atLeast(Results results, Contender contender) {
    return of(results, contender, true);
  }

  private static GeometricMean of(Results results, Contender contender, boolean neverCounts) {
    double logs = 0;
    int count = 0;
    for (Row row : Row.values()) {
      for (Figure figure : row.figures) {
        Series ours = results.series(row, Contender.HEDDLE, figure);
        Series theirs = results.series(row, contender, figure);
        if (figure.counts() && !ours.isEmpty() && !theirs.isEmpty()) {
          boolean isBound = neverCounts && Double.isInfinite(theirs.median());
          double ratio =
              figure.ratio(ours.median(), isBound ? row.watchedMillis() : theirs.median());
          if (ratio > 0 && Double.isFinite(ratio)) {
            logs += Math.log(ratio);
            count++;
          }
        }
      }
    }
    return new GeometricMean(Math.exp(logs / Math.max(1, count)), count);
  }

  String show() {
    return count == 0 ? "–" : String.format(Locale.ROOT, "%.2f", ratio);
  }
}
