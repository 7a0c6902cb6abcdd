package io.heddle.cli.trace;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a trace comes to: where goroutines spent their time, how long they waited for a P, how busy the Ps were. */
final class Figures implements Story.Listener {
  private static final int LONGEST = 10;

  /** What goroutines of one kind did, all in all. */
  static final class Share {
    final Family family;
    final Set<Long> goroutines = new HashSet<>();
    long running;
    long withoutP;
    long runnable;
    private final Map<String, Long> blocked = new TreeMap<>();

    Share(Family family) {
      this.family = family;
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

  private final Map<Family, Share> shares = new LinkedHashMap<>();
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
    Share share = share(g);
    if (p == Story.NO_P) {
      share.withoutP += to - from;
    } else {
      share.running += to - from;
      busy.merge(g.scheduler.name + "/P" + p, to - from, Long::sum);
    }
  }

  @Override
  public void wasReady(Story.G g, long from, long to, @Nullable Event by, Event run) {
    share(g).runnable += to - from;
    latencies[Long.SIZE - Long.numberOfLeadingZeros(Math.max(to - from, 1)) - 1]++;
    keep(runnable, new Wait(g, "ready to run", from, to - from));
  }

  @Override
  public void waited(Story.G g, String reason, long from, long to) {
    String named = reason.isEmpty() ? "(for a moment)" : reason;
    share(g).blocked.merge(named, to - from, Long::sum);
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
  List<Share> shares() {
    return shares.values().stream()
        .sorted(Comparator.comparingLong(Share::total).reversed())
        .toList();
  }

  List<Wait> longestWaits() {
    return sorted(blocked);
  }

  List<Wait> longestReady() {
    return sorted(runnable);
  }

  private Share share(Story.G g) {
    Share share = shares.computeIfAbsent(g.family, Share::new);
    share.goroutines.add(g.id);
    return share;
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
