package io.heddle.internal.watch;

import java.util.List;

/** A {@link WatchReport} as one self-contained HTML page, in light and dark. */
public final class WatchPage {
  private static final String START =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>heddle watch</title>
      <style>
      :root { color-scheme: light dark; --line: #d5d8dc; --dim: #5f6670; --bar: #3b74c4;
        --computing: #c7622b; --pinned: #9a4fb0; --native: #2b8a7c; --card: #f6f7f9;
        --on-kind: #fff; }
      @media (prefers-color-scheme: dark) {
        :root { --line: #3a3f46; --dim: #9aa2ad; --bar: #6ea3ea; --computing: #e08a55;
          --pinned: #c487d6; --native: #58bcae; --card: #1f2328; --on-kind: #111; } }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto;
        padding: 1.5rem 1rem 4rem; }
      h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
      p { margin: .3rem 0; } .dim { color: var(--dim); }
      .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
        gap: .6rem; margin: 1rem 0; }
      .figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
        padding: .5rem .8rem; } .figure b { display: block; font-size: 1.25rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid
        var(--line); vertical-align: top; } th { color: var(--dim); font-weight: 500; }
      td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
      td.range { white-space: nowrap; } td.wide { width: 55%; }
      table + p { margin-top: 1.5rem; }
      .bar { height: .9rem; border-radius: 3px; background: var(--bar);
        min-width: 1px; margin-top: .3rem; }
      .kind { border-radius: 9px; padding: 0 .5rem; color: var(--on-kind); font-size: .85rem; }
      .computing { background: var(--computing); } .pinned { background: var(--pinned); }
      .native { background: var(--native); }
      details { margin: .5rem 0; border: 1px solid var(--line); border-radius: 8px;
        padding: .4rem .8rem; background: var(--card); }
      summary { cursor: pointer; overflow-wrap: anywhere; } code, pre { font: 13px/1.45
        ui-monospace, monospace; } pre { overflow-x: auto; margin: .5rem 0 .2rem; }
      </style></head><body>
      """;

  private static final int MOST_ROWS = 50;

  private final StringBuilder out = new StringBuilder(START);
  private final WatchReport report;

  private WatchPage(WatchReport report) {
    this.report = report;
  }

  /** Returns the page. */
  public static String of(WatchReport report) {
    WatchPage page = new WatchPage(report);
    page.write();
    return page.out.append("</body></html>\n").toString();
  }

  private void write() {
    out.append("<h1>What waited for a carrier, and why</h1>\n");
    out.append("<p class=dim>").append(html(WatchText.head(report))).append("</p>\n");
    out.append("<p>").append(html(WatchText.starvations(report))).append("</p>\n");
    figures();
    waits();
    holders();
    waiters();
    out.append("<p class=dim>A probe, a virtual thread, is woken at each interval; how long it")
        .append(" waits is how long any virtual thread would have waited then. Carriers are looked")
        .append(" at only while none is free. Nothing is scheduled differently.</p>\n");
  }

  private void figures() {
    WatchReport.Waits waits = report.waits();
    out.append("<div class=figures>");
    figure("median wait", WatchText.time(waits.p50()));
    figure("p99", WatchText.time(waits.p99()));
    figure("p99.9", WatchText.time(waits.p999()));
    figure("longest", WatchText.time(waits.longest()));
    figure("starvations", "%,d".formatted(report.starvations()));
    figure("starved", WatchText.time(report.starved()));
    figure("most threads waiting", "%,d".formatted(report.mostQueued()));
    out.append("</div>\n");
  }

  private void figure(String title, String value) {
    out.append("<div class=figure><span class=dim>").append(title).append("</span><b>");
    out.append(html(value)).append("</b></div>");
  }

  private void waits() {
    out.append("<h2>How long a virtual thread waits for a carrier</h2>\n<table>");
    out.append("<tr><th>wait</th><th class=n>share</th><th></th></tr>\n");
    List<Long> ranges = report.waits().ranges();
    long total = Math.max(1, report.waits().count());
    for (int i = 0; i < ranges.size(); i++) {
      List<Long> limits = WatchReport.Waits.LIMITS;
      String range =
          i < limits.size()
              ? "up to " + WatchText.time(limits.get(i) * 1_000)
              : "longer than " + WatchText.time(limits.getLast() * 1_000);
      double share = 100.0 * ranges.get(i) / total;
      out.append("<tr><td class=range>").append(html(range)).append("</td><td class=n>");
      out.append("%.2f %%".formatted(share)).append("</td><td class=wide>");
      out.append("<div class=bar style=\"width:%.2f%%\"></div></td></tr>\n".formatted(share));
    }
    out.append("</table>\n");
  }

  private void holders() {
    if (report.holders().isEmpty()) {
      return;
    }
    out.append("<h2>What held the carriers meanwhile</h2>\n");
    out.append("<p class=dim>Each line is the innermost one that does not belong to the JDK.")
        .append(" Open it for a stack.</p>\n");
    for (WatchReport.HeldPlace holder : report.holders().stream().limit(MOST_ROWS).toList()) {
      double share = WatchText.share(report, holder);
      out.append("<details><summary><span class=\"kind ").append(holder.kind()).append("\">");
      out.append(holder.kind()).append("</span> <b>").append(html(WatchText.time(holder.held())));
      out.append("</b> <span class=dim>%.0f %%</span> <code>".formatted(share));
      out.append(html(holder.place())).append("</code>");
      out.append(
          "<div class=\"bar %s\" style=\"width:%.1f%%\"></div>".formatted(holder.kind(), share));
      out.append("</summary><p class=dim>")
          .append("%,d samples, among them ".formatted(holder.samples()));
      out.append(html(WatchText.thread(holder))).append(":</p><pre>");
      holder
          .stack()
          .forEach(frame -> out.append("at ").append(html(frame.toString())).append('\n'));
      out.append("</pre></details>\n");
    }
    out.append("<p>").append(html(WatchText.NEXT_STEP)).append("</p>\n");
  }

  private void waiters() {
    if (report.waiters().isEmpty()) {
      return;
    }
    out.append("<h2>Which threads waited</h2>\n<table>");
    out.append(
        "<tr><th>name</th><th class=n>threads</th><th class=n>longest, at least</th></tr>\n");
    for (WatchReport.WaitingThreads each : report.waiters().stream().limit(MOST_ROWS).toList()) {
      out.append("<tr><td>").append(html(each.name())).append("</td><td class=n>");
      out.append("%,d".formatted(each.threads())).append("</td><td class=n>");
      out.append(html(WatchText.time(each.longest()))).append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  private static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
