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

/**
 * The totals of a trace: how goroutines spent their time, how long they waited for a P, and how
 * busy the Ps were.
 */
final class TraceStatistics implements TraceReplay.Listener {
  private static final int LONGEST = 10;

  /** The totals of one family of goroutines. */
  static final class FamilyTotals {
    final GoroutineFamily family;
    final Set<Long> goroutines = new HashSet<>();
    long running;
    long withoutP;
    long runnable;
    private final Map<String, Long> blocked = new TreeMap<>();

    FamilyTotals(GoroutineFamily family) {
      this.family = family;
    }

    private long total() {
      return running + withoutP + runnable;
    }

    /** The reasons to wait and the total time of each, the longest first. */
    List<Map.Entry<String, Long>> waits() {
      return blocked.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .toList();
    }
  }

  /** One interval in which a goroutine did not run. */
  record WaitSpan(TraceReplay.TracedGoroutine g, String what, long from, long nanos) {}

  private final Map<GoroutineFamily, FamilyTotals> shares = new LinkedHashMap<>();
  final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
  final Map<String, Long> busy = new TreeMap<>();

  /**
   * A histogram of the time from ready to running: element n counts 2 to the n nanoseconds up to
   * twice that.
   */
  final long[] latencies = new long[Long.SIZE];

  private final PriorityQueue<WaitSpan> blocked = longest();
  private final PriorityQueue<WaitSpan> runnable = longest();
  long from;
  long to;
  long lost;

  @Override
  public void event(TraceEvent e) {
    if (e.kind.isEvent()) {
      counts.merge(e.kind, 1L, Long::sum);
    }
    lost += e.kind == EventKind.LOST ? e.b : 0;
  }

  @Override
  public void ran(
      TraceReplay.TracedGoroutine g, TraceTrack m, int p, long from, long to, String then) {
    FamilyTotals share = share(g);
    if (p == TraceReplay.NO_P) {
      share.withoutP += to - from;
    } else {
      share.running += to - from;
      busy.merge(g.scheduler.name + "/P" + p, to - from, Long::sum);
    }
  }

  @Override
  public void wasReady(
      TraceReplay.TracedGoroutine g, long from, long to, @Nullable TraceEvent by, TraceEvent run) {
    share(g).runnable += to - from;
    latencies[Long.SIZE - Long.numberOfLeadingZeros(Math.max(to - from, 1)) - 1]++;
    keep(runnable, new WaitSpan(g, "ready to run", from, to - from));
  }

  @Override
  public void waited(TraceReplay.TracedGoroutine g, String reason, long from, long to) {
    String named = reason.isEmpty() ? "(brief)" : reason;
    share(g).blocked.merge(named, to - from, Long::sum);
    keep(blocked, new WaitSpan(g, named, from, to - from));
  }

  @Override
  public void end(long from, long to) {
    this.from = from;
    this.to = to;
  }

  long events() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The families, the one with the largest total time first. */
  List<FamilyTotals> shares() {
    return shares.values().stream()
        .sorted(Comparator.comparingLong(FamilyTotals::total).reversed())
        .toList();
  }

  List<WaitSpan> longestWaits() {
    return sorted(blocked);
  }

  List<WaitSpan> longestReady() {
    return sorted(runnable);
  }

  private FamilyTotals share(TraceReplay.TracedGoroutine g) {
    FamilyTotals share = shares.computeIfAbsent(g.family, FamilyTotals::new);
    share.goroutines.add(g.id);
    return share;
  }

  private static PriorityQueue<WaitSpan> longest() {
    return new PriorityQueue<>(Comparator.comparingLong(WaitSpan::nanos));
  }

  private static void keep(PriorityQueue<WaitSpan> waits, WaitSpan wait) {
    waits.add(wait);
    if (waits.size() > LONGEST) {
      waits.remove();
    }
  }

  private static List<WaitSpan> sorted(PriorityQueue<WaitSpan> waits) {
    return waits.stream().sorted(Comparator.comparingLong(WaitSpan::nanos).reversed()).toList();
  }
}
