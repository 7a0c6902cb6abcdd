package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A trace in figures: where goroutines spent their time, how long they waited for a P, how busy the Ps were. */
public final class Summary implements Story.Listener {
  private static final int LONGEST = 10;
  private static final int SITES = 20;
  private static final int BAR = 40;

  /** Goroutines that were started in one place. */
  private static final class Site {
    final String label;
    final Set<Long> goroutines = new HashSet<>();
    long running;
    long withoutP;
    long runnable;
    final Map<String, Long> blocked = new TreeMap<>();

    Site(String label) {
      this.label = label;
    }

    long total() {
      return running + withoutP + runnable;
    }
  }

  private record Wait(String who, String what, long from, long nanos) {}

  private final Map<String, Site> sites = new TreeMap<>();
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<String, Long> busy = new TreeMap<>();
  private final long[] latencies = new long[64];
  private final PriorityQueue<Wait> blocked = longest();
  private final PriorityQueue<Wait> runnable = longest();
  private long first = -1;
  private long last;
  private long lost;

  private Summary() {}

  /** As lines. */
  public static List<String> of(TraceData data) {
    Summary summary = new Summary();
    Story.tell(data, summary);
    return summary.lines(data);
  }

  @Override
  public void event(Event e) {
    if (first < 0 && e.time > 0) {
      first = e.time;
    }
    if (e.kind.isEvent()) {
      counts.merge(e.kind, 1L, Long::sum);
    }
    lost += e.kind == Kind.LOST ? e.b : 0;
  }

  @Override
  public void ran(Story.G g, TraceTrack m, int p, long from, long to, String then) {
    Site site = site(g);
    if (p == Story.NO_P) {
      site.withoutP += to - from;
    } else {
      site.running += to - from;
      busy.merge(g.scheduler.name + "/P" + p, to - from, Long::sum);
    }
  }

  @Override
  public void wasReady(Story.G g, long from, long to, @Nullable Event by, Event run) {
    site(g).runnable += to - from;
    latencies[64 - Long.numberOfLeadingZeros(Math.max(to - from, 1)) - 1]++;
    keep(runnable, new Wait(who(g), "ready to run", from, to - from));
  }

  @Override
  public void waited(Story.G g, String reason, long from, long to) {
    String named = reason.isEmpty() ? "(for a moment)" : reason;
    site(g).blocked.merge(named, to - from, Long::sum);
    keep(blocked, new Wait(who(g), named, from, to - from));
  }

  @Override
  public void end(long time) {
    last = time;
  }

  private Site site(Story.G g) {
    String label = g.site.isEmpty() ? "(not known)" : g.site;
    Site site = sites.computeIfAbsent(label, Site::new);
    site.goroutines.add(g.id);
    return site;
  }

  private static String who(Story.G g) {
    return "goroutine " + g.id + (g.label().equals("(not known)") ? "" : " " + g.label());
  }

  private static PriorityQueue<Wait> longest() {
    return new PriorityQueue<>(Comparator.comparingLong(Wait::nanos));
  }

  private static void keep(PriorityQueue<Wait> waits, Wait wait) {
    waits.add(wait);
    if (waits.size() > LONGEST) {
      waits.remove();
    }
  }

  private List<String> lines(TraceData data) {
    List<String> lines = new ArrayList<>();
    long events = counts.values().stream().mapToLong(Long::longValue).sum();
    long nanos = Math.max(last - Math.max(first, 0), 0);
    lines.add(
        "%,d events in %s%s"
            .formatted(events, time(nanos), lost == 0 ? "" : ", %,d lost".formatted(lost)));
    data.notes().forEach(note -> lines.add("note: " + note));
    places(lines);
    latency(lines);
    waits(lines, "Longest waits", blocked);
    waits(lines, "Longest times ready and not running", runnable);
    ps(lines, nanos);
    kinds(lines);
    return lines;
  }

  private void places(List<String> lines) {
    lines.add("");
    lines.add("Goroutines by where they were started");
    lines.add(
        "  %10s %10s %10s %10s  %s"
            .formatted("count", "running", "without P", "runnable", "where"));
    sites.values().stream()
        .sorted(Comparator.comparingLong(Site::total).reversed())
        .limit(SITES)
        .forEach(
            site -> {
              lines.add(
                  "  %,10d %10s %10s %10s  %s"
                      .formatted(
                          site.goroutines.size(),
                          time(site.running),
                          time(site.withoutP),
                          time(site.runnable),
                          site.label));
              site.blocked.entrySet().stream()
                  .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                  .forEach(
                      e ->
                          lines.add(
                              "  %43s  waiting: %s".formatted(time(e.getValue()), e.getKey())));
            });
    if (sites.size() > SITES) {
      lines.add("  and %,d places more".formatted(sites.size() - SITES));
    }
  }

  private void latency(List<String> lines) {
    long all = 0;
    long most = 1;
    int low = -1;
    int high = 0;
    for (int i = 0; i < latencies.length; i++) {
      all += latencies[i];
      most = Math.max(most, latencies[i]);
      if (latencies[i] > 0) {
        low = low < 0 ? i : low;
        high = i;
      }
    }
    lines.add("");
    lines.add("Scheduling latency: from ready to running, %,d times".formatted(all));
    for (int i = low; low >= 0 && i <= high; i++) {
      String bar = "#".repeat((int) Math.ceil((double) BAR * latencies[i] / most));
      lines.add("  < %8s %,12d  %s".formatted(time(1L << Math.min(i + 1, 62)), latencies[i], bar));
    }
  }

  private static void waits(List<String> lines, String title, PriorityQueue<Wait> waits) {
    lines.add("");
    lines.add(title);
    waits.stream()
        .sorted(Comparator.comparingLong(Wait::nanos).reversed())
        .forEach(
            w ->
                lines.add(
                    "  %10s  %s: %s, from %s on"
                        .formatted(time(w.nanos), w.what, w.who, time(w.from))));
  }

  private void ps(List<String> lines, long nanos) {
    lines.add("");
    lines.add("Ps: how much of the time they ran a goroutine");
    busy.forEach(
        (p, time) ->
            lines.add("  %-16s %5.1f %%".formatted(p, nanos == 0 ? 0 : 100.0 * time / nanos)));
  }

  private void kinds(List<String> lines) {
    lines.add("");
    lines.add("Events");
    counts.forEach(
        (kind, n) -> lines.add("  %-10s %,14d".formatted(kind.name().toLowerCase(Locale.ROOT), n)));
  }

  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return "%.1f us".formatted(nanos / 1e3);
    }
    return nanos < 1_000_000_000
        ? "%.1f ms".formatted(nanos / 1e6)
        : "%.2f s".formatted(nanos / 1e9);
  }
}
