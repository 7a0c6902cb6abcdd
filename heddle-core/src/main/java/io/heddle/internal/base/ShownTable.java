package io.heddle.internal.base;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A table of figures on the dashboard and in its metrics. Heddle and libraries that are built on it
 * show such tables below the figures of the schedulers.
 *
 * @param title the title, for the page
 * @param labels the names of the labels, which say what a row is about
 * @param columns the columns of figures
 * @param source adds the rows each time that the table is read
 */
public record ShownTable(String title, List<String> labels, List<Column> columns, Source source) {
  private static final List<ShownTable> ALL = new CopyOnWriteArrayList<>();

  /**
   * A column of figures.
   *
   * @param title the title, for the page
   * @param metric the name of the metric; empty if only the page shows the column
   * @param isCounter whether the figure only grows
   * @param help what the figure means
   */
  public record Column(String title, String metric, boolean isCounter, String help) {}

  /**
   * A row of the table.
   *
   * @param labels the values of the labels, in the order of their names
   * @param figures the figures, in the order of the columns; {@code NaN} for a figure that is not
   *     known
   */
  public record TableRow(List<String> labels, double[] figures) {}

  /** Gives the rows of a table when the table is read. */
  @FunctionalInterface
  public interface Source {
    /**
     * Adds the rows to {@code rows}. Called each time that the table is read, by one thread at a
     * time.
     */
    void look(List<TableRow> rows);
  }

  /** Returns the tables that are shown now, the oldest first. */
  public static List<ShownTable> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** Shows this table from now on. */
  public void show() {
    ALL.add(this);
  }

  /** Ends {@link #show}. Has no effect if the table is not shown. */
  public void hide() {
    ALL.removeIf(each -> each == this);
  }

  /**
   * Reads the table: returns its rows. If the source throws a {@link RuntimeException}, there are
   * no rows, because the other tables must be readable.
   */
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
