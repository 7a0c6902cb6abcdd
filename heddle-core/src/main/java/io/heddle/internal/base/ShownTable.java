package io.heddle.internal.base;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A table of figures that a library beside the schedulers shows on the dashboard and in its
 * metrics.
 *
 * @param title the title, for the page
 * @param labels the names of the columns that say what a row is
 * @param columns the columns of figures
 * @param source writes the rows of one look
 */
public record ShownTable(String title, List<String> labels, List<Column> columns, Source source) {
  private static final List<ShownTable> ALL = new CopyOnWriteArrayList<>();

  /**
   * A column of figures.
   *
   * @param title the title, for the page
   * @param metric the name of the metric; empty: on the page only
   * @param isCounter whether the figure only grows
   * @param help what the figure means
   */
  public record Column(String title, String metric, boolean isCounter, String help) {}

  /**
   * A row of one look.
   *
   * @param labels the values of the labels
   * @param figures the figures; {@code NaN} stands for one that is not known
   */
  public record TableRow(List<String> labels, double[] figures) {}

  /** Writes the rows of one look. */
  @FunctionalInterface
  public interface Source {
    /** Adds the rows to {@code rows}. Called by one thread of the dashboard for each look. */
    void look(List<TableRow> rows);
  }

  /** Returns the tables that are shown now, the oldest first. */
  public static List<ShownTable> all() {
    return Collections.unmodifiableList(ALL);
  }

  public void show() {
    ALL.add(this);
  }

  public void hide() {
    ALL.removeIf(each -> each == this);
  }

  /** Returns the rows of a look. A table that fails has no rows: the others must be readable. */
  public List<TableRow> look() {
    List<TableRow> rows = new ArrayList<>();
    try {
      source.look(rows);
    } catch (RuntimeException e) {
      rows.clear();
    }
    return rows;
  }
}
