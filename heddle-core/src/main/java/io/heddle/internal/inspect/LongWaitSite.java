package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The goroutines of one creation site that wait for the same reason, and have waited long.
 *
 * @param site where they were started; empty if that is unknown
 * @param reason why they wait
 * @param count how many they are
 * @param nanos the longest of their waits, in nanoseconds, approximately
 * @param ids the ids of some of them
 */
public record LongWaitSite(String site, String reason, int count, long nanos, List<Long> ids) {
  /** The largest number of ids that are listed for one site. */
  private static final int MAX_LISTED_IDS = 8;

  /** The properties that the goroutines of one group have in common. */
  private record SiteKind(String site, String reason) {}

  private static final class SiteGroup {
    final List<Long> ids = new ArrayList<>();
    int count;
    long nanos;

    void add(G g) {
      count++;
      nanos = Math.max(nanos, g.nanosSinceLastRun());
      if (ids.size() < MAX_LISTED_IDS) {
        ids.add(g.id());
      }
    }
  }

  /**
   * Groups the goroutines of {@code sched} that have waited for at least {@code minNanos}. The
   * group with the longest wait comes first.
   */
  public static List<LongWaitSite> list(Sched sched, long minNanos) {
    Map<SiteKind, SiteGroup> groups = new LinkedHashMap<>();
    sched.registry().forEach(g -> add(g, minNanos, groups));
    return groups.entrySet().stream()
        .map(e -> of(e.getKey(), e.getValue()))
        .sorted(Comparator.comparingLong(LongWaitSite::nanos).reversed())
        .toList();
  }

  private static void add(G g, long minNanos, Map<SiteKind, SiteGroup> groups) {
    if (g.nanosSinceLastRun() >= minNanos && g.goroutineState() == GoroutineState.WAITING) {
      StackTraceElement site = g.site();
      SiteKind kind = new SiteKind(site == null ? "" : site.toString(), g.reason());
      groups.computeIfAbsent(kind, _ -> new SiteGroup()).add(g);
    }
  }

  private static LongWaitSite of(SiteKind kind, SiteGroup group) {
    return new LongWaitSite(kind.site, kind.reason, group.count, group.nanos, group.ids);
  }
}
