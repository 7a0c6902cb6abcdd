package io.heddle.cli.trace;

import io.heddle.internal.base.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace as a self-contained page: Ps as lanes, goroutines as slices, and an arrow from
 * each waker to the goroutine that it woke.
 */
public final class TimelinePage implements TraceReplay.Listener {
  private static final String PAGE = "timeline.html";
  private static final String DATA = "/*DATA*/null/*DATA*/";

  /** Bounds the page at about ten megabytes: with more slices, short neighbours are merged. */
  static final int MOST_SLICES = 400_000;

  /** Bounds the arrows: with more of them, only every second, fourth, … arrow is kept. */
  static final int MOST_ARROWS = 100_000;

  /** Shorter waits get no arrow. */
  private static final long SHORTEST_ARROW = 1_000;

  private static final int SHARES = 50;

  private record Arrow(long from, LaneKey fromLane, long to, LaneKey toLane, int g) {}

  /** Identifies a lane: a P, or an M without a P. */
  private record LaneKey(TraceScheduler scheduler, boolean isM, int number) {
    static final Comparator<LaneKey> ORDER =
        Comparator.<LaneKey>comparingInt(key -> key.scheduler.number)
            .thenComparing(LaneKey::isM)
            .thenComparingInt(LaneKey::number);

    static LaneKey of(TraceScheduler scheduler, TraceTrack m, int p) {
      return p == TraceReplay.NO_P
          ? new LaneKey(scheduler, true, m.ownerNumber)
          : new LaneKey(scheduler, false, p);
    }

    String name(boolean isOne) {
      String name = isM ? "M" + number + " without P" : "P" + number;
      return isOne ? name : scheduler.name + "/" + name;
    }
  }

  private final TraceData data;
  private final TraceStatistics figures = new TraceStatistics();
  private final Map<LaneKey, TimelineLane> lanes = new HashMap<>();
  private final Map<TraceReplay.TracedGoroutine, Integer> gs = new LinkedHashMap<>();
  private final Map<GoroutineFamily, Integer> families = new LinkedHashMap<>();
  private final Map<String, Integer> thens = new LinkedHashMap<>();
  private List<Arrow> arrows = new ArrayList<>();
  private long arrowsSeen;
  private int oneArrowIn = 1;

  private TimelinePage(TraceData data) {
    this.data = data;
    thens.put("", 0);
  }

  public static void write(TraceData data, Writer out) throws IOException {
    TimelinePage html = new TimelinePage(data);
    try {
      TraceReplay.replay(data, html);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    String page = page();
    int at = page.indexOf(DATA);
    out.write(page, 0, at);
    html.writeData(out);
    out.write(page.substring(at + DATA.length()));
  }

  private static String page() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(TimelinePage.class.getResourceAsStream(PAGE), PAGE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void event(TraceEvent e) {
    figures.event(e);
  }

  @Override
  public void ran(
      TraceReplay.TracedGoroutine g, TraceTrack m, int p, long from, long to, String then) {
    figures.ran(g, m, p, from, to, then);
    lanes
        .computeIfAbsent(LaneKey.of(g.scheduler, m, p), _ -> new TimelineLane())
        .add(from, to - from, id(gs, g), id(thens, then));
  }

  @Override
  public void wasReady(
      TraceReplay.TracedGoroutine g, long from, long to, @Nullable TraceEvent by, TraceEvent run) {
    figures.wasReady(g, from, to, by, run);
    if (by == null || by.track.owner != TraceTrack.Owner.M || by.onG == 0) {
      return;
    }
    if (to - from >= SHORTEST_ARROW && arrowsSeen++ % oneArrowIn == 0) {
      if (arrows.size() == MOST_ARROWS) {
        thinArrows();
      }
      LaneKey fromLane = LaneKey.of(g.scheduler, by.track, by.p);
      arrows.add(
          new Arrow(from, fromLane, to, LaneKey.of(g.scheduler, run.track, run.p), id(gs, g)));
    }
  }

  private void thinArrows() {
    List<Arrow> kept = new ArrayList<>(MOST_ARROWS);
    for (int i = 0; i < arrows.size(); i += 2) {
      kept.add(arrows.get(i));
    }
    arrows = kept;
    oneArrowIn *= 2;
  }

  @Override
  public void waited(TraceReplay.TracedGoroutine g, String reason, long from, long to) {
    figures.waited(g, reason, from, to);
  }

  @Override
  public void end(long from, long to) {
    figures.end(from, to);
  }

  private static <T> int id(Map<T, Integer> ids, T of) {
    Integer known = ids.get(of);
    if (known == null) {
      known = ids.size();
      ids.put(of, known);
    }
    return known;
  }

  /**
   * Writes the page's data. Times are nanoseconds since {@code begin}, which is itself relative to
   * the start of the trace.
   */
  private void writeData(Writer out) throws IOException {
    boolean isMerged = mergeShortSlices();
    String waits = waits();
    String shares = shares();
    StringBuilder goroutines = new StringBuilder();
    gs.keySet()
        .forEach(
            g ->
                goroutines
                    .append(goroutines.isEmpty() ? "" : ",")
                    .append(
                        "[%d,%s,%d]"
                            .formatted(g.id, JsonWriter.text(g.name), id(families, g.family))));
    out.write("{\"begin\":" + figures.from + ",\"span\":" + (figures.to - figures.from));
    out.write(",\"file\":" + JsonWriter.text(data.file) + ",\"merged\":" + isMerged);
    out.write(",\"about\":" + JsonWriter.text(about()));
    out.write(",\"notes\":" + JsonWriter.texts(data.notes()));
    out.write(",\"kinds\":[" + kinds() + "]");
    out.write(",\"then\":" + JsonWriter.texts(thens.keySet()));
    out.write(",\"gs\":[" + goroutines + "],\"shares\":[" + shares + "],\"waits\":[" + waits);
    out.write(
        LongStream.of(figures.latencies)
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",", "],\"latency\":[", "]")));
    List<LaneKey> keys = lanes.keySet().stream().sorted(LaneKey.ORDER).toList();
    writeLanes(keys, out);
    writeArrows(keys, out);
    out.write("}");
  }

  private boolean mergeShortSlices() {
    long slices = lanes.values().stream().mapToLong(TimelineLane::size).sum();
    if (slices <= MOST_SLICES) {
      return false;
    }
    long bucket = Math.max((figures.to - figures.from) * lanes.size() / MOST_SLICES, 1);
    lanes.values().forEach(lane -> lane.mergeShorterThan(bucket));
    return true;
  }

  private void writeLanes(List<LaneKey> keys, Writer out) throws IOException {
    boolean isOne = data.schedulers().size() == 1;
    String head = ",\"lanes\":[";
    for (LaneKey key : keys) {
      out.write(head + "{\"name\":" + JsonWriter.text(key.name(isOne)) + ",");
      Objects.requireNonNull(lanes.get(key)).write(out, figures.from);
      out.write("}");
      head = ",\n";
    }
    out.write(keys.isEmpty() ? head + "]" : "]");
  }

  private void writeArrows(List<LaneKey> keys, Writer out) throws IOException {
    Map<LaneKey, Integer> rows = new HashMap<>();
    keys.forEach(key -> rows.put(key, rows.size()));
    String comma = "";
    out.write(",\"arrows\":[");
    for (Arrow a : arrows) {
      Integer fromRow = rows.get(a.fromLane);
      Integer toRow = rows.get(a.toLane);
      if (fromRow != null && toRow != null) {
        long from = a.from - figures.from;
        long to = a.to - figures.from;
        out.write(comma + "[" + from + "," + fromRow + "," + to + "," + toRow + "," + a.g + "]");
        comma = ",";
      }
    }
    out.write("]");
  }

  private String kinds() {
    return families.keySet().stream()
        .map(each -> "[" + JsonWriter.text(each.name()) + "," + JsonWriter.text(each.site()) + "]")
        .collect(Collectors.joining(","));
  }

  /**
   * One array per family: its index, its number of goroutines, the times running, without a P and
   * runnable, and the waits by reason.
   */
  private String shares() {
    return figures.shares().stream()
        .limit(SHARES)
        .map(
            share ->
                "[%d,%d,%d,%d,%d,%s]"
                    .formatted(
                        id(families, share.family),
                        share.goroutines.size(),
                        share.running,
                        share.withoutP,
                        share.runnable,
                        share.waits().stream()
                            .map(w -> "[" + JsonWriter.text(w.getKey()) + "," + w.getValue() + "]")
                            .collect(Collectors.joining(",", "[", "]"))))
        .collect(Collectors.joining(","));
  }

  /** The longest waits for an event, then the longest waits for a P. */
  private String waits() {
    return LongStream.of(0, 1)
        .mapToObj(i -> i == 0 ? figures.longestWaits() : figures.longestReady())
        .map(
            waits ->
                waits.stream()
                    .map(
                        w ->
                            "[%d,%s,%d,%d]"
                                .formatted(
                                    id(gs, w.g()),
                                    JsonWriter.text(w.what()),
                                    w.from() - figures.from,
                                    w.nanos()))
                    .collect(Collectors.joining(",", "[", "]")))
        .collect(Collectors.joining(","));
  }

  private String about() {
    List<String> schedulers = data.schedulers().stream().map(TraceScheduler::name).toList();
    return "%s · %,d goroutines · %,d events in %s%s%s%s"
        .formatted(
            schedulers.size() <= 3
                ? String.join(", ", schedulers)
                : schedulers.size() + " schedulers",
            gs.size(),
            figures.events(),
            SummaryReport.time(figures.to - figures.from),
            figures.from == 0 ? "" : " from " + SummaryReport.time(figures.from) + " on",
            figures.lost == 0 ? "" : " · %,d lost".formatted(figures.lost),
            oneArrowIn == 1 ? "" : " · one arrow in " + oneArrowIn);
  }
}
