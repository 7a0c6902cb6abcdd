package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.base.ShownTable;
import java.math.BigDecimal;

/** Writes all {@link ShownTable}s, with their rows, as JSON for the page. */
final class TablesJson {
  private TablesJson() {}

  static String write() {
    JsonWriter json = new JsonWriter().open('{').field("time", System.nanoTime() / 1_000_000);
    json.key("tables").open('[');
    ShownTable.all().forEach(table -> write(json, table));
    return json.close(']').close('}').toString();
  }

  private static void write(JsonWriter json, ShownTable table) {
    json.open('{').field("title", table.title());
    json.key("labels").raw(JsonWriter.texts(table.labels())).key("columns").open('[');
    for (ShownTable.Column column : table.columns()) {
      json.open('{').field("title", column.title()).field("counter", column.isCounter());
      json.field("help", column.help()).close('}');
    }
    json.close(']').key("rows").open('[');
    for (ShownTable.TableRow row : table.look()) {
      json.open('{').key("labels").raw(JsonWriter.texts(row.labels())).key("figures").open('[');
      for (double figure : row.figures()) {
        json.raw(Double.isFinite(figure) ? BigDecimal.valueOf(figure).toPlainString() : "null");
      }
      json.close(']').close('}');
    }
    json.close(']').close('}');
  }
}
