package io.heddle.bench.suite;

import java.util.Map;

/**
 * One figure of a row.
 *
 * @param key the name in JSON
 * @param unit shown after the row's name in the table
 * @param isLess whether less is better
 * @param counts whether it is part of the geometric mean: one figure per row, and none that is
 *     0 in a good case
 * @param raw computes it from what the twin printed and the size of the workload
 */
record Figure(String key, String unit, boolean isLess, boolean counts, Raw raw) {
  /** Computes a figure from the printed values. */
  interface Raw {
    double of(Map<String, Double> printed, double size);
  }

  static Figure less(String key, String unit, Raw raw) {
    return new Figure(key, unit, true, true, raw);
  }

  static Figure more(String key, String unit, Raw raw) {
    return new Figure(key, unit, false, true, raw);
  }

  /** A copy that is shown but not part of the mean. */
  Figure aside() {
    return new Figure(key, unit, isLess, false, raw);
  }

  /** How many times better {@code ours} is; above 1 it is better. */
  double ratio(double ours, double theirs) {
    return isLess ? theirs / ours : ours / theirs;
  }
}
