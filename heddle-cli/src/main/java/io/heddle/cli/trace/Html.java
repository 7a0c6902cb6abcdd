package io.heddle.cli.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A trace as a page that needs nothing else: the Ps as lanes, what ran there, and arrows for who woke whom. */
public final class Html implements Story.Listener {
  private static final String PAGE = "timeline.html";
  private static final String DATA = "/*DATA*/null/*DATA*/";

  /** So that the page stays at some ten megabytes, and quick: short slices beside each other are put together. */
  static final int MOST_SLICES = 400_000;

  private static final int MOST_ARROWS = 100_000;

  /** Quicker hand-overs are no news. */
  private static final long SHORTEST_ARROW = 1_000;

  private record Arrow(long from, String fromLane, long to, String toLane, int g) {}

  private static final class Place {
    int goroutines;
    long running;
    long ready;
    long waiting;
  }

  private final Map<String, Lane> lanes = new TreeMap<>(Html::byNumber);
  private final Map<Story.G, Integer> gs = new LinkedHashMap<>();
  private final Map<String, Integer> sites = new LinkedHashMap<>();
  private final Map<String, Integer> thens = new LinkedHashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();
  private final List<Arrow> arrows = new ArrayList<>();
  private final boolean isOne;
  private long events;
  private long lost;
  private long first = -1;
  private long last;

  private Html(TraceData data) {
    this.isOne = data.schedulers().size() == 1;
    thens.put("", 0);
  }

  public static void write(TraceData data, Writer out) throws IOException {
    Html html = new Html(data);
    Story.tell(data, html);
    String page = page();
    int at = page.indexOf(DATA);
    out.write(page, 0, at);
    html.data(data, out);
    out.write(page.substring(at + DATA.length()));
  }

  private static String page() throws IOException {
    try (InputStream in = Objects.requireNonNull(Html.class.getResourceAsStream(PAGE), PAGE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void event(Event e) {
    if (first < 0 && e.time > 0) {
      first = e.time;
    }
    events += e.kind.isEvent() ? 1 : 0;
    lost += e.kind == Kind.LOST ? e.b : 0;
  }

  @Override
  public void ran(Story.G g, TraceTrack m, int p, long from, long to, String then) {
    lane(laneOf(g.scheduler, m, p)).add(from, to - from, idOf(g), id(thens, then));
    place(g).running += to - from;
  }

  @Override
  public void wasReady(Story.G g, long from, long to, @Nullable Event by, Event run) {
    place(g).ready += to - from;
    boolean isArrow = by != null && by.track.of == TraceTrack.Of.M && by.onG != 0;
    if (isArrow && to - from >= SHORTEST_ARROW && arrows.size() < MOST_ARROWS) {
      arrows.add(
          new Arrow(
              from,
              laneOf(g.scheduler, by.track, by.p),
              to,
              laneOf(g.scheduler, run.track, run.p),
              idOf(g)));
    }
  }

  @Override
  public void waited(Story.G g, String reason, long from, long to) {
    place(g).waiting += to - from;
  }

  @Override
  public void end(long time) {
    last = time;
  }

  private String laneOf(TraceScheduler scheduler, TraceTrack m, int p) {
    String name = p == Story.NO_P ? "M" + m.who + " without P" : "P" + p;
    return isOne ? name : scheduler.name + "/" + name;
  }

  private Lane lane(String name) {
    return lanes.computeIfAbsent(name, _ -> new Lane());
  }

  private int idOf(Story.G g) {
    Integer known = gs.get(g);
    if (known == null) {
      known = gs.size();
      gs.put(g, known);
      place(g).goroutines++;
    }
    return known;
  }

  private Place place(Story.G g) {
    return places.computeIfAbsent(id(sites, g.site), _ -> new Place());
  }

  private static int id(Map<String, Integer> ids, String text) {
    return ids.computeIfAbsent(text, _ -> ids.size());
  }

  /** P2 before P10, and Ps before Ms. */
  private static int byNumber(String a, String b) {
    return Comparator.<String, String>comparing(s -> s.replaceAll("\\d+.*", ""))
        .reversed()
        .thenComparing(s -> s.replaceAll("(\\d+)", "0000000$1").replaceAll("0*(\\d{8})", "$1"))
        .compare(a, b);
  }

  private void data(TraceData data, Writer out) throws IOException {
    long start = Math.max(first, 0);
    long slices = lanes.values().stream().mapToLong(Lane::size).sum();
    if (slices > MOST_SLICES) {
      long bucket = Math.max((last - start) * Math.max(lanes.size(), 1) / MOST_SLICES, 1);
      lanes.values().forEach(lane -> lane.mergeShorterThan(bucket));
    }
    out.write("{\"span\":" + (last - start));
    out.write(",\"about\":" + Json.text(about(data, start)));
    out.write(",\"notes\":" + Json.texts(data.notes()));
    out.write(",\"sites\":" + Json.texts(sites.keySet()));
    out.write(",\"then\":" + Json.texts(thens.keySet()));
    out.write(",\"gs\":[");
    String comma = "";
    for (Story.G g : gs.keySet()) {
      out.write(comma + "[" + g.id + "," + Json.text(g.name) + "," + sites.get(g.site) + "]");
      comma = ",";
    }
    out.write("],\"lanes\":[");
    comma = "";
    List<String> names = List.copyOf(lanes.keySet());
    for (String name : names) {
      out.write(comma + "{\"name\":" + Json.text(name) + ",");
      lanes.get(name).write(out, start);
      out.write("}");
      comma = ",\n";
    }
    out.write("],\"arrows\":[");
    comma = "";
    Map<String, Integer> rows = new HashMap<>();
    names.forEach(name -> rows.put(name, rows.size()));
    for (Arrow a : arrows) {
      Integer fromRow = rows.get(a.fromLane);
      Integer toRow = rows.get(a.toLane);
      if (fromRow != null && toRow != null) {
        out.write(
            "%s[%d,%d,%d,%d,%d]"
                .formatted(comma, a.from - start, fromRow, a.to - start, toRow, a.g));
        comma = ",";
      }
    }
    out.write("],\"places\":[");
    out.write(
        String.join(
            ",",
            places.entrySet().stream()
                .sorted(Comparator.comparingLong(e -> -e.getValue().running))
                .limit(50)
                .map(
                    e ->
                        "[%d,%d,%d,%d,%d]"
                            .formatted(
                                e.getKey(),
                                e.getValue().goroutines,
                                e.getValue().running,
                                e.getValue().ready,
                                e.getValue().waiting))
                .toList()));
    out.write("]}");
  }

  private String about(TraceData data, long start) {
    List<String> schedulers = new ArrayList<>();
    data.schedulers().forEach(s -> schedulers.add(s.name()));
    return "%s · %,d goroutines · %,d events in %s%s"
        .formatted(
            schedulers.size() <= 3
                ? String.join(", ", schedulers)
                : schedulers.size() + " schedulers",
            gs.size(),
            events,
            Summary.time(last - start),
            lost == 0 ? "" : " · %,d lost".formatted(lost));
  }
}
