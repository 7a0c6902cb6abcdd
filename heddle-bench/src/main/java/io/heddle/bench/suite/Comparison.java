package io.heddle.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares two runs and reports the changes beyond the noise.
 *
 * <p>Machines differ from day to day. A figure of Heddle is therefore first divided by the
 * geometric mean of the peers' figures in the same round, if both runs have common peers with as
 * many rounds; otherwise it is used directly. The change is that of the median. The noise is half
 * of the distance from least to most, of both runs together, but at least 5 %, or 15 % if one run
 * has less than three rounds. A larger change counts.
 */
final class Comparison {
  private static final double LEAST_NOISE = 0.05;
  private static final double LEAST_NOISE_OF_FEW = 0.15;
  private static final int FEW = 3;

  /**
   * The change of one of Heddle's figures: {@code better} is how many times better {@code b} is
   * than {@code a}.
   */
  record Change(Row row, Figure figure, Series a, Series b, double better, double noise) {
    boolean counts() {
      return Math.abs(Math.log(better)) > Math.log(1 + noise);
    }

    String verdict() {
      if (!counts()) {
        return "same";
      }
      return better > 1 ? "better" : "WORSE";
    }
  }

  private final Results a;
  private final Results b;

  Comparison(Results a, Results b) {
    this.a = a;
    this.b = b;
  }

  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (Row row : Row.values()) {
      for (Figure figure : row.isGrowth() ? List.<Figure>of() : row.figures) {
        Series before = a.series(row, Contender.HEDDLE, figure);
        Series after = b.series(row, Contender.HEDDLE, figure);
        if (!before.isEmpty() && !after.isEmpty()) {
          changes.add(change(row, figure, before, after));
        }
      }
    }
    return changes;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%-32s %-30s %22s %22s %9s %7s  %s%n"
            .formatted("work", "figure", "before", "after", "better by", "noise", ""));
    for (Change each : changes()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-32s %-30s %22s %22s %9.2f %6.0f%%  %s%n",
              each.row.title,
              each.figure.unit(),
              each.a.show(),
              each.b.show(),
              each.better,
              100 * each.noise,
              each.verdict()));
    }
    return text
        + """

        "better by": Heddle's median, relative to the peers of the same round where both runs have them; more than 1 is better.
        "noise": half of the way from least to most of both runs together, at least 5 % (15 % with less than 3 rounds).
        """;
  }

  private Change change(Row row, Figure figure, Series before, Series after) {
    List<Contender> peers =
        a.contenders().stream()
            .filter(each -> each != Contender.HEDDLE)
            .filter(each -> isPaired(a, row, each, figure) && isPaired(b, row, each, figure))
            .toList();
    Series relativeBefore = relative(a, row, figure, before, peers);
    Series relativeAfter = relative(b, row, figure, after, peers);
    double better = figure.ratio(relativeAfter.median(), relativeBefore.median());
    boolean few = before.values().size() < FEW || after.values().size() < FEW;
    double noise =
        Math.max(
            few ? LEAST_NOISE_OF_FEW : LEAST_NOISE,
            relativeBefore.spread() + relativeAfter.spread());
    return new Change(row, figure, before, after, Double.isNaN(better) ? 1 : better, noise);
  }

  /** Whether a peer has a figure to divide by for each of Heddle's rounds. */
  private static boolean isPaired(Results results, Row row, Contender peer, Figure figure) {
    Series ours = results.series(row, Contender.HEDDLE, figure);
    Series theirs = results.series(row, peer, figure);
    return theirs.values().size() == ours.values().size()
        && theirs.values().stream().allMatch(each -> each > 0 && Double.isFinite(each));
  }

  private static Series relative(
      Results results, Row row, Figure figure, Series ours, List<Contender> peers) {
    List<Double> values = new ArrayList<>();
    for (int round = 0; round < ours.values().size(); round++) {
      double logs = 0;
      for (Contender peer : peers) {
        logs += Math.log(results.series(row, peer, figure).values().get(round));
      }
      values.add(ours.values().get(round) / Math.exp(logs / Math.max(1, peers.size())));
    }
    return new Series(values);
  }
}
