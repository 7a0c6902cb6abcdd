package io.heddle.cli.lab;

import java.util.List;
import java.util.Locale;

/**
 * The results of the lab as a self-contained page: each program with its explanation and a plot.
 */
final class LabPage {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>The lab of Heddle</title>
      <style>
      :root { color-scheme: light dark; --back: #fdfdfb; --ink: #1c1d1f; --soft: #5f636b; --line: #e0e1dc; --bar: #9aa3b5; --ours: #3d4fb8; }
      @media (prefers-color-scheme: dark) { :root { --back: #15171a; --ink: #e6e7e9; --soft: #989ea8; --line: #2f3338; --bar: #5b6475; --ours: #96a5ff; } }
      body { margin: 0 auto; max-width: 900px; padding: 24px 20px 40px; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
      h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 34px 0 6px; } p { margin: 0 0 12px; max-width: 46em; } .soft { color: var(--soft); }
      table { border-collapse: collapse; width: 100%; font-size: 14px; }
      td { padding: 5px 14px 5px 0; border-top: 1px solid var(--line); white-space: nowrap; }
      td.n { text-align: right; } td.plot { width: 99%; padding-right: 0; white-space: normal; }
      td.plot div { height: 14px; border-radius: 3px; background: var(--bar); min-width: 2px; } tr.ours div { background: var(--ours); } tr.ours td { font-weight: 600; }
      .wrong { color: #c62828; }
      @media (max-width: 620px) { td.on { display: none; } td { padding-right: 8px; font-size: 13px; } td.plot span { font-size: 11.5px; white-space: nowrap; } }
      </style>
      </head>
      <body>
      <h1>The lab: the same work on five models of threads</h1>
      """;

  private final StringBuilder out = new StringBuilder(HEAD);

  /** {@code rounds}: how many each time is the median of. */
  LabPage(int rounds) {
    out.append(
        "<p class=\"soft\">Median of %d rounds, in turns, after one to warm up; %d CPUs, Java %s, %s. A longer bar is faster.</p>%n"
            .formatted(
                rounds,
                Runtime.getRuntime().availableProcessors(),
                text(Runtime.version().toString()),
                text(System.getProperty("os.name"))));
  }

  void add(LabProgram program, List<ModelResult> results) {
    out.append("<h2>%s</h2>%n".formatted(text(program.title())));
    out.append("<p>%s</p>%n<table>%n".formatted(text(String.join(" ", program.explanation()))));
    long first = results.getFirst().median();
    double most = results.stream().mapToDouble(result -> result.speedup(first)).max().orElse(1);
    results.forEach(result -> add(result, result.speedup(first), most));
    out.append("</table>\n");
  }

  private void add(ModelResult result, double speedup, double most) {
    out.append(
        String.format(
            Locale.ROOT,
            "<tr%s><td>%s</td><td class=\"on soft\">%s</td><td class=\"n\">%s</td><td class=\"n"
                + " soft\">%s</td><td class=\"plot\"><div"
                + " style=\"width:%.1f%%\"></div>%s</td></tr>%n",
            result.model.isHeddle() ? " class=\"ours\"" : "",
            text(result.model.name()),
            text(result.model.on()),
            result.time(),
            String.format(Locale.ROOT, "%.2fx", speedup),
            100 * speedup / most,
            result.isRight()
                ? "<span class=\"soft\">" + text(result.remark()) + "</span>"
                : "<b class=\"wrong\">wrong result</b>"));
  }

  String html() {
    return out + "</body>\n</html>\n";
  }

  private static String text(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
