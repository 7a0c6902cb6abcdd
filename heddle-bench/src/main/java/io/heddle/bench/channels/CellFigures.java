package io.heddle.bench.channels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of one table cell, one per round. */
final class CellFigures {
  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The median; the mean of the middle two if there is an even number of figures. */
  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return (sorted.get(middle) + sorted.get((sorted.size() - 1) / 2)) / 2;
  }

  /** Formats {@code median [least, most]}, or the only figure. */
  String show(int decimals) {
    if (values.size() == 1) {
      return show(values.getFirst(), decimals);
    }
    List<Double> sorted = values.stream().sorted().toList();
    return "%s [%s, %s]"
        .formatted(
            show(median(), decimals),
            show(sorted.getFirst(), decimals),
            show(sorted.getLast(), decimals));
  }

  private static String show(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
