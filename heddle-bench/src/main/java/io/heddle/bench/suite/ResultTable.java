package io.heddle.bench.suite;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The table of all contenders' medians and of Heddle's ratio to each, for a terminal and as
 * Markdown.
 */
final class ResultTable {
  /**
   * The observation time of a quick run; a full run observes for longer, but the lower bound
   * suffices.
   */
  private static final String NEVER =
      String.format(Locale.ROOT, "%.0f s", Row.HOGS.watchedMillis() / 1_000);

  private final Results results;
  private final List<Contender> columns;
  private final List<List<String>> cells = new ArrayList<>();

  ResultTable(Results results) {
    this.results = results;
    Set<Contender> shown = EnumSet.copyOf(results.contenders());
    results.failures().keySet().forEach(key -> shown.add(key.contender()));
    columns = List.copyOf(shown);
    List<String> head = new ArrayList<>(List.of("work", "figure"));
    columns.forEach(each -> head.add(each.title));
    head.add("ahead of all?");
    cells.add(head);
    for (Row row : Row.values()) {
      if (!row.isGrowth()) {
        row.figures.forEach(figure -> addLine(row, figure));
      }
    }
    columns.stream().filter(each -> each != Contender.HEDDLE).forEach(this::addMean);
  }

  /** Formats the table for a terminal, in columns of fixed width. */
  String text() {
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < cells.getFirst().size(); column++) {
      int at = column;
      widths.add(cells.stream().mapToInt(line -> line.get(at).length()).max().orElse(0));
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : cells) {
      for (int column = 0; column < line.size(); column++) {
        String cell = line.get(column);
        String space = " ".repeat(widths.get(column) - cell.length());
        text.append(column < 2 ? cell + space : space + cell).append("  ");
      }
      text.setLength(text.toString().stripTrailing().length());
      text.append('\n');
    }
    return text + "\n" + notes("");
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < cells.size(); line++) {
      text.append("| ").append(String.join(" | ", cells.get(line))).append(" |\n");
      if (line == 0) {
        text.append("|---|---|").append("--:|".repeat(cells.getFirst().size() - 2)).append('\n');
      }
    }
    return text + "\n" + notes("- ");
  }

  List<List<String>> cells() {
    return cells;
  }

  /** The contenders and rows that did not run, and why; and a warning about too few rounds. */
  String notes(String bullet) {
    StringBuilder notes = new StringBuilder();
    String rounds = results.about.getOrDefault("rounds", "");
    if (rounds.equals("1") || rounds.equals("2")) {
      notes.append(
          "%s%s: other load on the machine may explain any difference. CPU: %s%n"
              .formatted(
                  bullet,
                  rounds.equals("1") ? "Only one round" : "Only two rounds",
                  results.about.getOrDefault("machine", "unknown")));
    }
    results.missing.forEach(
        (contender, why) ->
            notes.append("%s%s is missing: %s%n".formatted(bullet, contender.title, why)));
    results
        .failures()
        .forEach(
            (key, why) ->
                notes.append(
                    "%s%s, %s (procs %d, size %d) failed: %s%n"
                        .formatted(
                            bullet,
                            key.contender().title,
                            key.row().id,
                            key.procs(),
                            key.size(),
                            why)));
    return notes.toString();
  }

  private void addLine(Row row, Figure figure) {
    Series ours = results.series(row, Contender.HEDDLE, figure);
    List<String> line = new ArrayList<>(List.of(row.title, figure.unit()));
    boolean any = false;
    String ahead = "yes";
    for (Contender each : columns) {
      Series series = results.series(row, each, figure);
      any |= !series.isEmpty() || !results.failure(row, each).isEmpty();
      line.add(cell(row, each, series));
      if (each != Contender.HEDDLE && !series.isEmpty() && !ours.isEmpty()) {
        double ratio = figure.ratio(ours.median(), series.median());
        if (ratio < 1) {
          String of = each.title + String.format(Locale.ROOT, " %.2f", ratio);
          ahead = ahead.equals("yes") ? of : ahead + ", " + of;
        }
      }
    }
    line.add(ours.isEmpty() ? "" : ahead);
    if (any) {
      cells.add(line);
    }
  }

  private String cell(Row row, Contender contender, Series series) {
    if (!series.isEmpty()) {
      return series.show();
    }
    if (!results.failure(row, contender).isEmpty()) {
      return "failed";
    }
    return row.lack(contender).isEmpty() ? "not run" : "–";
  }

  private void addMean(Contender contender) {
    List<String> line = new ArrayList<>(List.of("geometric mean", contender.title + " / Heddle"));
    GeometricMean mean = GeometricMean.of(results, contender);
    columns.forEach(each -> line.add(each == contender ? mean.show() : ""));
    GeometricMean more = GeometricMean.atLeast(results, contender);
    line.add(
        mean.count() == more.count()
            ? mean.count() == 0 ? "" : "of " + mean.count() + " rows"
            : "of " + mean.count() + " rows; " + more.show() + " if never is " + NEVER);
    cells.add(line);
  }
}
