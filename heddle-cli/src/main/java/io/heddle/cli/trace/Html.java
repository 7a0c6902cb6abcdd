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

/** A trace as a page that needs nothing else: the Ps as lanes, what ran there, and arrows for who woke whom. */
public final class Html implements Story.Listener {
  private static final String PAGE = "timeline.html";
  private static final String DATA = "/*DATA*/null/*DATA*/";

  /** So that the page stays at some ten megabytes, and quick: short slices beside each other are put together. */
  static final int MOST_SLICES = 400_000;

  /** More of them, and one in two, four, … is shown, from the beginning to the end. */
  static final int MOST_ARROWS = 100_000;

  /** Quicker hand-overs are no news. */
  private static final long SHORTEST_ARROW = 1_000;

  private static final int SHARES = 50;

  private record Arrow(long from, Key fromLane, long to, Key toLane, int g) {}

  /** Of a lane: a P, or an M without one. */
  private record Key(TraceScheduler scheduler, boolean isM, int number) {
    static final Comparator<Key> ORDER =
        Comparator.<Key>comparingInt(key -> key.scheduler.number)
            .thenComparing(Key::isM)
            .thenComparingInt(Key::number);

    static Key of(TraceScheduler scheduler, TraceTrack m, int p) {
      return p == Story.NO_P ? new Key(scheduler, true, m.who) : new Key(scheduler, false, p);
    }

    String name(boolean isOne) {
      String name = isM ? "M" + number + " without P" : "P" + number;
      return isOne ? name : scheduler.name + "/" + name;
    }
  }

  private final TraceData data;
  private final Figures figures = new Figures();
  private final Map<Key, Lane> lanes = new HashMap<>();
  private final Map<Story.G, Integer> gs = new LinkedHashMap<>();
  private final Map<Family, Integer> families = new LinkedHashMap<>();
  private final Map<String, Integer> thens = new LinkedHashMap<>();
  private List<Arrow> arrows = new ArrayList<>();
  private long arrowsSeen;
  private int oneArrowIn = 1;

  private Html(TraceData data) {
    this.data = data;
    thens.put("", 0);
  }

  public static void write(TraceData data, Writer out) throws IOException {
    Html html = new Html(data);
    try {
      Story.tell(data, html);
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
    try (InputStream in = Objects.requireNonNull(Html.class.getResourceAsStream(PAGE), PAGE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void event(Event e) {
    figures.event(e);
  }

  @Override
  public void ran(Story.G g, TraceTrack m, int p, long from, long to, String then) {
    figures.ran(g, m, p, from, to, then);
    lanes
        .computeIfAbsent(Key.of(g.scheduler, m, p), _ -> new Lane())
        .add(from, to - from, id(gs, g), id(thens, then));
  }

  @Override
  public void wasReady(Story.G g, long from, long to, @Nullable Event by, Event run) {
    figures.wasReady(g, from, to, by, run);
    if (by == null || by.track.of != TraceTrack.Of.M || by.onG == 0) {
      return;
    }
    if (to - from >= SHORTEST_ARROW && arrowsSeen++ % oneArrowIn == 0) {
      if (arrows.size() == MOST_ARROWS) {
        thinArrows();
      }
      Key fromLane = Key.of(g.scheduler, by.track, by.p);
      arrows.add(new Arrow(from, fromLane, to, Key.of(g.scheduler, run.track, run.p), id(gs, g)));
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
  public void waited(Story.G g, String reason, long from, long to) {
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

  /** Times are nanoseconds since {@code begin}, which itself is one since the beginning of the trace. */
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
    List<Key> keys = lanes.keySet().stream().sorted(Key.ORDER).toList();
    writeLanes(keys, out);
    writeArrows(keys, out);
    out.write("}");
  }

  private boolean mergeShortSlices() {
    long slices = lanes.values().stream().mapToLong(Lane::size).sum();
    if (slices <= MOST_SLICES) {
      return false;
    }
    long bucket = Math.max((figures.to - figures.from) * lanes.size() / MOST_SLICES, 1);
    lanes.values().forEach(lane -> lane.mergeShorterThan(bucket));
    return true;
  }

  private void writeLanes(List<Key> keys, Writer out) throws IOException {
    boolean isOne = data.schedulers().size() == 1;
    String head = ",\"lanes\":[";
    for (Key key : keys) {
      out.write(head + "{\"name\":" + JsonWriter.text(key.name(isOne)) + ",");
      Objects.requireNonNull(lanes.get(key)).write(out, figures.from);
      out.write("}");
      head = ",\n";
    }
    out.write(keys.isEmpty() ? head + "]" : "]");
  }

  private void writeArrows(List<Key> keys, Writer out) throws IOException {
    Map<Key, Integer> rows = new HashMap<>();
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

  /** Of each: which kind, how many, times running, without a P, ready, and waiting by reason. */
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

  /** The longest, for which no P was missing, and those for which one was. */
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
            Summary.time(figures.to - figures.from),
            figures.from == 0 ? "" : " from " + Summary.time(figures.from) + " on",
            figures.lost == 0 ? "" : " · %,d lost".formatted(figures.lost),
            oneArrowIn == 1 ? "" : " · one arrow in " + oneArrowIn);
  }
}
