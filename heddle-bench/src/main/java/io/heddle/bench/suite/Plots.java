package io.heddle.bench.suite;

import io.heddle.bench.suite.Results.CellKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** The plots of the page, as SVG. All axes are logarithmic. */
final class Plots {
  private static final double MOST_RATIO = 64;
  private static final int LINE_HEIGHT = 22;
  private static final int LEFT = 190;
  private static final int WIDTH = 640;
  private static final int HEIGHT = 300;

  /** The room for text at the right end of an axis. */
  private static final int MARGIN = 24;

  private Plots() {}

  /** Plots a line for each row and a dot for each peer: right of 1, Heddle is better. */
  static String ratios(Results results) {
    List<Contender> peers =
        results.contenders().stream().filter(each -> each != Contender.HEDDLE).toList();
    StringBuilder marks = new StringBuilder();
    int y = LINE_HEIGHT;
    for (Row row : Row.values()) {
      for (Figure figure : row.figures) {
        Series ours = results.series(row, Contender.HEDDLE, figure);
        if (figure.counts() && !ours.isEmpty()) {
          marks.append(
              "<text x='0' y='%d'>%s</text><line class='axis' x1='%d' x2='%d' y1='%d' y2='%d'/>"
                  .formatted(y + 4, row.title, LEFT, WIDTH, y, y));
          for (Contender each : peers) {
            Series theirs = results.series(row, each, figure);
            if (!theirs.isEmpty()) {
              double ratio = figure.ratio(ours.median(), theirs.median());
              marks.append(dot(each, ratioX(ratio), y, label(each, ratio)));
            }
          }
          y += LINE_HEIGHT;
        }
      }
    }
    StringBuilder axis = new StringBuilder();
    for (double ratio : new double[] {1 / 16.0, 1 / 4.0, 1, 4, 16, MOST_RATIO}) {
      double x = ratioX(ratio);
      axis.append(line(x, 8, x, y));
      axis.append(text(x - 8, y + 14, ratio < 1 ? "1/" + (int) (1 / ratio) : "" + (int) ratio));
    }
    return svg(y + 50, axis.toString() + marks + legend(peers, y + 36));
  }

  /** Plots a row over its sizes, with as many procs as in the table. */
  static String overSizes(Results results, Row row) {
    int procs = Integer.parseInt(results.about.getOrDefault("procs", "0"));
    return lines(results, row, "goroutines", key -> key.procs() == procs, CellKey::size);
  }

  static String overProcs(Results results, Row row) {
    return lines(results, row, "procs", key -> key.size() == Job.PROCS_SIZE, CellKey::procs);
  }

  private static String lines(
      Results results, Row row, String axis, Predicate<CellKey> shown, ToIntFunction<CellKey> x) {
    Figure figure = row.figures.getFirst();
    Map<Contender, Map<Integer, Double>> curves = new TreeMap<>();
    for (CellKey key : results.keys()) {
      if (key.row() == row && shown.test(key)) {
        double median = results.series(key, figure).median();
        curves
            .computeIfAbsent(key.contender(), _ -> new TreeMap<>())
            .put(x.applyAsInt(key), median);
      }
    }
    List<Integer> xs =
        curves.values().stream()
            .flatMap(each -> each.keySet().stream())
            .sorted()
            .distinct()
            .toList();
    List<Double> ys =
        curves.values().stream().flatMap(each -> each.values().stream()).sorted().toList();
    if (xs.size() < 2) {
      return "";
    }
    Scale across = new Scale(xs.getFirst(), xs.getLast(), LEFT - 120, WIDTH - 20);
    Scale up = new Scale(ys.getFirst(), ys.getLast(), HEIGHT - 60, 20);
    StringBuilder marks = new StringBuilder();
    for (int each : xs) {
      marks.append(line(across.at(each), 20, across.at(each), HEIGHT - 60));
      marks.append(text(across.at(each), HEIGHT - 42, whole(each), "middle"));
    }
    for (double each : up.ticks()) {
      marks.append(line(LEFT - 120, up.at(each), WIDTH - 20, up.at(each)));
      marks.append(text(0, up.at(each) + 4, Series.show(each) + " " + figure.unit()));
    }
    marks.append(text(WIDTH - 90, HEIGHT - 26, axis));
    curves.forEach((contender, curve) -> marks.append(curve(contender, curve, across, up)));
    return svg(HEIGHT, marks + legend(List.copyOf(curves.keySet()), HEIGHT - 8));
  }

  private static String curve(
      Contender contender, Map<Integer, Double> curve, Scale across, Scale up) {
    List<String> points = new ArrayList<>();
    StringBuilder dots = new StringBuilder();
    curve.forEach(
        (x, y) -> {
          points.add(number(across.at(x)) + "," + number(up.at(y)));
          String label = contender.title + ", " + whole(x) + ": " + Series.show(y);
          dots.append(dot(contender, across.at(x), up.at(y), label));
        });
    return "<polyline fill='none' stroke='var(--%s)' stroke-width='2' points='%s'/>%s"
        .formatted(contender.id(), String.join(" ", points), dots);
  }

  /** Maps values to positions on a logarithmic axis. */
  private record Scale(double least, double most, double from, double to) {
    double at(double value) {
      return least == most
          ? (from + to) / 2
          : from + (to - from) * Math.log(value / least) / Math.log(most / least);
    }

    /** The least value, the most, and their geometric middle. */
    double[] ticks() {
      return new double[] {least, Math.sqrt(least * most), most};
    }
  }

  private static double ratioX(double ratio) {
    double log = Math.log(Math.clamp(ratio, 1 / MOST_RATIO, MOST_RATIO)) / Math.log(MOST_RATIO);
    return LEFT + (WIDTH - LEFT) * (1 + log) / 2;
  }

  private static String label(Contender contender, double ratio) {
    return contender.title + ": " + Series.show(ratio);
  }

  private static String dot(Contender contender, double x, double y, String label) {
    return "<circle fill='var(--%s)' r='4.5' cx='%s' cy='%s'><title>%s</title></circle>"
        .formatted(contender.id(), number(x), number(y), label);
  }

  private static String legend(List<Contender> shown, int y) {
    StringBuilder legend = new StringBuilder();
    int x = 10;
    for (Contender each : shown) {
      legend.append(dot(each, x, y - 4, each.title)).append(text(x + 8, y, each.title));
      x += 80;
    }
    return legend.toString();
  }

  private static String line(double x1, double y1, double x2, double y2) {
    return "<line class='axis' x1='%s' y1='%s' x2='%s' y2='%s'/>"
        .formatted(number(x1), number(y1), number(x2), number(y2));
  }

  private static String text(double x, double y, String text) {
    return text(x, y, text, "start");
  }

  private static String text(double x, double y, String text, String anchor) {
    return "<text x='%s' y='%s' text-anchor='%s'>%s</text>"
        .formatted(number(x), number(y), anchor, ResultPages.escape(text));
  }

  private static String svg(int height, String content) {
    return "<svg viewBox='0 0 %d %d' role='img'>%s</svg>\n"
        .formatted(WIDTH + MARGIN, height, content);
  }

  private static String whole(int value) {
    return String.format(Locale.ROOT, "%,d", value).replace(',', ' ');
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
