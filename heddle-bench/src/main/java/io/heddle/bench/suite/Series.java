package io.heddle.bench.suite;

import java.util.List;
import java.util.Locale;

/** The figures of one cell, one per round; infinite if the event never came. */
record Series(List<Double> values) {
  Series {
    values = List.copyOf(values);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The median; the mean of the middle two if there is an even number of figures. */
  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    double low = sorted.get((sorted.size() - 1) / 2);
    double high = sorted.get(sorted.size() / 2);
    return low == high ? low : (low + high) / 2;
  }

  double least() {
    return values.stream().min(Double::compare).orElseThrow();
  }

  double most() {
    return values.stream().max(Double::compare).orElseThrow();
  }

  /** Half of the distance from least to most, relative to the median. */
  double spread() {
    return median() == 0 ? 0 : Math.abs((most() - least()) / 2 / median());
  }

  /** Formats {@code median [least, most]}, or one figure if they are equal. */
  String show() {
    if (show(least()).equals(show(most()))) {
      return show(median());
    }
    return "%s [%s, %s]".formatted(show(median()), show(least()), show(most()));
  }

  /** Formats three significant digits, or all digits before the point, in groups of three. */
  static String show(double value) {
    if (Double.isInfinite(value)) {
      return "never";
    }
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value).replace(',', ' ');
  }
}
