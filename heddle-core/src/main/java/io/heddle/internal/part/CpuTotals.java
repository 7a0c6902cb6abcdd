package io.heddle.internal.part;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The CPU time that goroutines have used, those that have ended included, by origin. */
public final class CpuTotals {
  /**
   * The largest number of totals. Without a limit, labels with ever new values, such as request
   * ids, would use ever more memory. Further origins share one more total.
   */
  private static final int MAX_TOTALS = 1_000;

  private static final Origin OTHERS = new Origin("(other)", Map.of());

  // Only chargers add totals (see CpuTimes); any thread reads.
  private final Map<Origin, LongAdder> totals = new ConcurrentHashMap<>();

  /**
   * Where CPU time was used.
   *
   * @param site the creation site; for threads of plain JDK calls a text with their name
   */
  public record Origin(Object site, Map<String, String> labels) {
    /**
     * Makes the origin of the goroutine of {@code thread}. A thread of plain JDK calls has no
     * creation site; its name, without the number at the end, tells such threads apart.
     */
    public static Origin of(
        @Nullable StackTraceElement site, Thread thread, Map<String, String> labels) {
      return new Origin(site == null ? family(thread.getName()) : site, labels);
    }

    // hashCode and equals are written out, because the JVM takes some milliseconds to link the
    // generated ones.

    @Override
    public int hashCode() {
      return 31 * site.hashCode() + labels.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Origin origin
          && site.equals(origin.site)
          && labels.equals(origin.labels);
    }

    private static String family(String name) {
      int end = name.length();
      while (end > 0 && "0123456789-#_ ".indexOf(name.charAt(end - 1)) >= 0) {
        end--;
      }
      return end == 0 ? "a plain JDK call" : "threads " + name.substring(0, end);
    }
  }

  /**
   * Returns the total of {@code origin}, and makes it if there is none. Must not be called by a
   * thread that can unmount, because the map may block other callers meanwhile.
   */
  public LongAdder of(Origin origin) {
    LongAdder known = totals.get(origin);
    if (known == null) {
      Origin counted = totals.size() < MAX_TOTALS ? origin : OTHERS;
      known = totals.computeIfAbsent(counted, _ -> new LongAdder());
    }
    return known;
  }

  /** Returns a copy of the totals, in nanoseconds. */
  public Map<Origin, Long> copy() {
    Map<Origin, Long> all = new HashMap<>();
    totals.forEach((origin, sum) -> all.put(origin, sum.sum()));
    return all;
  }
}
