package io.heddle.cli.trace;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a trace comes to: where goroutines spent their time, how long they waited for a P, how busy the Ps were. */
final class Figures implements Story.Listener {
  private static final int LONGEST = 10;

  /** Goroutines that were started in one place; it is empty if that is not known. */
  static final class Site {
    final String place;
    final Set<Long> goroutines = new HashSet<>();
    long running;
    long withoutP;
    long runnable;
    private final Map<String, Long> blocked = new TreeMap<>();

    Site(String place) {
      this.place = place;
    }

    private long total() {
      return running + withoutP + runnable;
    }

    /** Reasons to wait and for how long in all, the longest first. */
    List<Map.Entry<String, Long>> waits() {
      return blocked.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .toList();
    }
  }

  /** One stretch of time in which a goroutine did not run. */
  record Wait(Story.G g, String what, long from, long nanos) {}

  private final Map<String, Site> sites = new TreeMap<>();
  final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  final Map<String, Long> busy = new TreeMap<>();

  /** From ready to running: how often it took from 2 to the n nanoseconds to twice that. */
  final long[] latencies = new long[Long.SIZE];

  private final PriorityQueue<Wait> blocked = longest();
  private final PriorityQueue<Wait> runnable = longest();
  long from;
  long to;
  long lost;

  @Override
  public void event(Event e) {
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
    latencies[Long.SIZE - Long.numberOfLeadingZeros(Math.max(to - from, 1)) - 1]++;
    keep(runnable, new Wait(g, "ready to run", from, to - from));
  }

  @Override
  public void waited(Story.G g, String reason, long from, long to) {
    String named = reason.isEmpty() ? "(for a moment)" : reason;
    site(g).blocked.merge(named, to - from, Long::sum);
    keep(blocked, new Wait(g, named, from, to - from));
  }

  @Override
  public void end(long from, long to) {
    this.from = from;
    this.to = to;
  }

  long events() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those that used most first. */
  List<Site> sites() {
    return sites.values().stream()
        .sorted(Comparator.comparingLong(Site::total).reversed())
        .toList();
  }

  List<Wait> longestWaits() {
    return sorted(blocked);
  }

  List<Wait> longestReady() {
    return sorted(runnable);
  }

  private Site site(Story.G g) {
    Site site = sites.get(g.site);
    if (site == null) {
      site = new Site(g.site);
      sites.put(g.site, site);
    }
    site.goroutines.add(g.id);
    return site;
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

  private static List<Wait> sorted(PriorityQueue<Wait> waits) {
    return waits.stream().sorted(Comparator.comparingLong(Wait::nanos).reversed()).toList();
  }
}
