package io.heddle.bench.suite;

import java.util.Map;

/**
 * One figure of a row.
 *
 * @param key in JSON
 * @param unit behind the row's name in the table
 * @param isLess whether less is better
 * @param counts whether it is in the geometric mean: one of each row, and none that is 0 when all is well
 * @param raw from what the twin printed and the size of the work
 */
record Figure(String key, String unit, boolean isLess, boolean counts, Raw raw) {
  /** How it follows from what was printed. */
  interface Raw {
    double of(Map<String, Double> printed, double size);
  }

  static Figure less(String key, String unit, Raw raw) {
    return new Figure(key, unit, true, true, raw);
  }

  static Figure more(String key, String unit, Raw raw) {
    return new Figure(key, unit, false, true, raw);
  }

  /** Shown, but not in the mean. */
  Figure aside() {
    return new Figure(key, unit, isLess, false, raw);
  }

  /** How many times better {@code ours} is: more than 1 is. */
  double ratio(double ours, double theirs) {
    return isLess ? theirs / ours : ours / theirs;
  }
}
