package io.heddle.bench.channels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of one cell, a round each. */
final class Scores {
  private final List<Double> values = new ArrayList<>();

  void add(double value) {
    values.add(value);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The lower one of two in the middle. */
  double median() {
    return values.stream().sorted().toList().get((values.size() - 1) / 2);
  }

  /** {@code median [least, most]}; only the one figure if there is only one. */
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
