package io.heddle;

import io.heddle.internal.base.ShownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A table of figures that the dashboard shows below the schedulers, and that its path {@code
 * /metrics} offers to Prometheus. Libraries that are built on goroutines use such tables; {@code
 * heddle-cluster} shows its channels in this way.
 *
 * {@snippet :
 * FigureTable table =
 *     FigureTable.of("Pools", "pool")
 *         .gauge("idle", "shop_pool_idle", "Connections that are free.")
 *         .counter("taken", "shop_pool_taken_total", "Connections taken.")
 *         .show(rows -> rows.add(List.of(pool.name()), pool.idle(), pool.taken()));
 * // …
 * table.close();
 * }
 *
 * <p>The figures are read only when a page or a scrape of Prometheus asks for them. Then a thread
 * of the dashboard calls the source, the function that adds the rows; only one thread does so at a
 * time. If the source throws, the table has no rows this time.
 *
 * <p>Any thread may close a table.
 */
public final class FigureTable implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  private final ShownTable table;

  private FigureTable(ShownTable table) {
    this.table = table;
  }

  /** Receives the rows of a table each time that the table is read. */
  public interface Rows {
    /**
     * Adds a row.
     *
     * @param labels the values of the labels, in their order
     * @param figures the figures, in the order of the columns; {@link Double#NaN} for a figure that
     *     is not known
     * @throws IllegalArgumentException if the number of labels or figures is not that of the table
     */
    void add(List<String> labels, double... figures);
  }

  /**
   * Begins a table.
   *
   * @param title the title on the page
   * @param labels the names of the labels, which say what a row is about: lower-case letters,
   *     digits and {@code _}, without a digit at the start
   * @return a builder without columns
   * @throws IllegalArgumentException if the name of a label is not allowed
   */
  public static Builder of(String title, String... labels) {
    for (String label : labels) {
      checked("label", label);
    }
    return new Builder(Objects.requireNonNull(title, "title"), List.of(labels));
  }

  /** Adds columns to a table. Several threads must not use one builder at the same time. */
  public static final class Builder {
    private final String title;
    private final List<String> labels;
    private final List<ShownTable.Column> columns = new ArrayList<>();

    private Builder(String title, List<String> labels) {
      this.title = title;
      this.labels = labels;
    }

    /**
     * Adds a column with a figure that may rise and fall.
     *
     * @param column the title of the column
     * @param metric the name of the metric; empty if only the page shows the column
     * @param help what the figure means, in one sentence
     * @return this builder
     * @throws IllegalArgumentException if the metric's name is not allowed
     */
    public Builder gauge(String column, String metric, String help) {
      return add(column, metric, false, help);
    }

    /**
     * Adds a column with a figure that only grows. The page shows its rate.
     *
     * @param column the title of the column
     * @param metric the name of the metric, which by custom ends with {@code _total}; empty if only
     *     the page shows the column
     * @param help what the figure means, in one sentence
     * @return this builder
     * @throws IllegalArgumentException if the metric's name is not allowed
     */
    public Builder counter(String column, String metric, String help) {
      return add(column, metric, true, help);
    }

    private Builder add(String column, String metric, boolean isCounter, String help) {
      if (!metric.isEmpty()) {
        checked("metric", metric);
      }
      columns.add(
          new ShownTable.Column(
              Objects.requireNonNull(column, "column"),
              metric,
              isCounter,
              help.replace('\n', ' ')));
      return this;
    }

    /**
     * Shows the table, until it is closed.
     *
     * @param source adds the rows; called each time that the table is read
     * @return the table
     */
    public FigureTable show(Consumer<Rows> source) {
      Objects.requireNonNull(source, "source");
      List<ShownTable.Column> all = List.copyOf(columns);
      ShownTable table =
          new ShownTable(title, labels, all, rows -> source.accept(checking(all.size(), rows)));
      table.show();
      return new FigureTable(table);
    }

    private Rows checking(int figuresPerRow, List<ShownTable.TableRow> rows) {
      return (values, figures) -> {
        if (values.size() != labels.size() || figures.length != figuresPerRow) {
          throw new IllegalArgumentException(
              "a row of "
                  + values.size()
                  + " labels and "
                  + figures.length
                  + " figures: allowed are "
                  + labels.size()
                  + " and "
                  + figuresPerRow);
        }
        rows.add(new ShownTable.TableRow(List.copyOf(values), figures.clone()));
      };
    }
  }

  private static void checked(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what + " \"" + name + "\": allowed are lower-case letters, digits and _");
    }
  }

  /** Removes the table from the page and the metrics. Closing again has no effect. */
  @Override
  public void close() {
    table.hide();
  }
}
