package io.heddle.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the Markdown table and the page with plots beside the JSON. */
final class ResultPages {
  private static final String STYLE =
      """
      :root { --paper: #fff; --ink: #1b1b1b; --faint: #ddd; --heddle: #c2185b; --go: #0277bd; --jdk: #e65100;
              --kotlin: #6a1b9a; --jox: #2e7d32; --tokio: #6d4c41; }
      @media (prefers-color-scheme: dark) {
        :root { --paper: #16181c; --ink: #e6e6e6; --faint: #3a3d44; --heddle: #ff6090; --go: #4fc3f7; --jdk: #ffb74d;
                --kotlin: #ce93d8; --jox: #81c784; --tokio: #bcaaa4; } }
      body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 75rem;
             margin: 2rem auto; padding: 0 1rem; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      td, th { border-bottom: 1px solid var(--faint); padding: .2rem .6rem; text-align: right; white-space: nowrap; }
      td:first-child, th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left; }
      svg { width: 100%; height: auto; max-width: 46rem; display: block; }
      svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
      svg .axis { stroke: var(--faint); }
      """;

  private final Results results;

  ResultPages(Results results) {
    this.results = results;
  }

  /** Writes both files beside {@code json}, with its name; returns the Markdown first. */
  List<Path> write(Path json) throws IOException {
    String name = json.getFileName().toString().replaceFirst("\\.json$", "");
    Path markdown = json.resolveSibling(name + ".md");
    Path page = json.resolveSibling(name + ".html");
    Files.writeString(markdown, markdown());
    Files.writeString(page, page());
    return List.of(markdown, page);
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    results.about.forEach((name, value) -> text.append("- %s: %s%n".formatted(name, value)));
    return text + "\n" + new ResultTable(results).markdown();
  }

  private String page() {
    StringBuilder html = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head>");
    html.append("<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">");
    html.append("<title>Heddle: benchmark</title><style>").append(STYLE).append("</style></head>");
    html.append("<body><h1>Heddle beside its peers</h1><ul>");
    results.about.forEach(
        (name, value) ->
            html.append("<li>").append(name).append(": ").append(escape(value)).append("</li>"));
    html.append(
            "</ul><p>Median of the rounds, least and most in brackets. The last column names the")
        .append(" contenders that are better than Heddle, with the ratio that Heddle reaches.</p>");
    table(html);
    html.append("<pre>").append(escape(new ResultTable(results).notes(""))).append("</pre>");
    html.append("<h2>Heddle compared with each peer</h2><p>Right of 1 Heddle is better, left of 1")
        .append(" the peer; the axis shows how many times.</p>")
        .append(Plots.ratios(results));
    for (Row row : Row.values()) {
      String plots = Plots.overSizes(results, row) + Plots.overProcs(results, row);
      if (row.isGrowth() && !plots.isEmpty()) {
        html.append("<h2>").append(row.title).append("</h2>").append(plots);
      }
    }
    return html.append("</body></html>\n").toString();
  }

  private void table(StringBuilder html) {
    html.append("<div class=\"wide\"><table>");
    String tag = "th";
    for (List<String> line : new ResultTable(results).cells()) {
      html.append("<tr>");
      for (String cell : line) {
        html.append("<%s>%s</%s>".formatted(tag, escape(cell), tag));
      }
      html.append("</tr>\n");
      tag = "td";
    }
    html.append("</table></div>");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
