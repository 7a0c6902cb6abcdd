package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.base.FastRandom;
import io.heddle.internal.part.CpuTotals;
import io.heddle.internal.policy.MonitorPacing;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples the CPU times of the goroutines of a scheduler, unless they are exact, and shows their
 * totals by creation site and by label.
 */
public final class CpuTimes {
  /*
   * Sampled (the default). At intervals sysmon looks which goroutine each M runs, and charges that
   * goroutine with all the CPU time that the M has used since its last charge. A switch of
   * goroutines has no extra cost.
   * The sum over all goroutines is the CPU time of the Ms, that of the scheduler itself included.
   * Which goroutine is charged is chance. The time of a goroutine that has k samples has a standard
   * error of about that time divided by the square root of k. A goroutine that begins and ends
   * between two samples is charged nothing. The intervals are random, so that no program runs in
   * step with them.
   * While all Ps are idle, sysmon sleeps. If goroutines compute without a P then, sysmon wakes
   * every 50 ms for a sample.
   * An M that sleeps is not charged. What it used before is charged at the next sample that finds
   * it at work; what it used last before it ended is lost.
   *
   * Exact (setting heddle.cputime). An M reads its CPU time at the end of each run, and where a row
   * of runs begins: see RunLoop. The time between two goroutines of a row, some hundred
   * nanoseconds, is charged to the second one.
   *
   * Checked by: CpuTimeTest.
   */

  /**
   * The mean interval between two samples. Sysmon looks at least twice per time slice, so with the
   * usual slice of 10 ms the real mean is 5 to 10 ms; Go's profiler samples each 10 ms.
   */
  private static final long INTERVAL_NANOS = 5_000_000;

  /**
   * Samples take at most one part in this number of the time of a sysmon that is awake, however
   * many Ms there are. With 1,000 Ms in native code sysmon used 1.1 to 2.5 % of a CPU, and 14 to 17
   * % without this bound (AMD EPYC, two busy cores, six looks of 2 s each).
   */
  private static final int MAX_SHARE = 100;

  /**
   * The number of vain samples in a row after which sysmon sleeps until it is woken. A sample is
   * vain if no goroutine has used CPU time. With {@code Sysmon.DOZE_NANOS} between samples, this is
   * one second. It must be that long, because on a busy machine a goroutine may wait that long for
   * a CPU.
   */
  private static final int MAX_VAIN_DOZES = 20;

  private final Sched sched;

  // Used by sysmon's thread alone. next: when the next sample is due. lastLook: when look was last
  // called. postponed: whether next was moved into the future because sysmon had slept. vainDozes:
  // the number of vain samples in a row, taken by doze.
  private final FastRandom random = new FastRandom(System.nanoTime());
  private long next;
  private long lastLook;
  private boolean postponed;
  private int vainDozes;

  /** Makes the CPU times of {@code sched}, which may still be under construction. */
  public CpuTimes(Sched sched) {
    this.sched = sched;
    next = Clock.now();
    lastLook = next;
  }

  /** The CPU time that goroutines of one site, or with one label, have used. */
  public record Use(String by, long nanos) {}

  public boolean isExact() {
    return sched.exactCpuTime;
  }

  /**
   * Charges the goroutines that run, if the time for a sample has come and times are sampled.
   * Called by sysmon's thread at time {@code now}.
   */
  public void look(long now) {
    if (isExact()) {
      return;
    }
    boolean hasSlept = now - lastLook > 2 * MonitorPacing.MAX_PAUSE_NANOS;
    lastLook = now;
    if (hasSlept && !postponed) {
      postponed = true; // else each sample after a sleep would hit what has woken sysmon
      next = now + random.next((int) INTERVAL_NANOS);
    }
    if (now - next < 0) {
      return;
    }
    postponed = false;
    vainDozes = 0;
    long _ = sample();
    long took = Clock.now() - now;
    long pause = INTERVAL_NANOS / 2 + random.next((int) INTERVAL_NANOS);
    next = now + Math.max(pause, MAX_SHARE * took);
  }

  /**
   * Charges the goroutines that compute without a P while all Ps are idle. Called by sysmon's
   * thread before it sleeps. Returns true if sysmon must call this method again soon: there may be
   * such goroutines, and fewer than {@link #MAX_VAIN_DOZES} samples in a row were vain.
   */
  public boolean doze() {
    if (isExact() || !hasStraggler()) {
      return false;
    }
    vainDozes = sample() > 0 ? 0 : vainDozes + 1;
    return vainDozes < MAX_VAIN_DOZES;
  }

  /**
   * Whether an M may be running a goroutine. Called while all Ps are idle, so the goroutine has no
   * P. Also true if an M that is locked to a goroutine sleeps: its {@code current} is not null.
   */
  private boolean hasStraggler() {
    for (M m : sched.threads.all()) {
      if (m.current() != null) {
        return true;
      }
    }
    return false;
  }

  /** Charges the goroutines that run, and returns the CPU time charged to all of them. */
  private long sample() {
    long sum = 0;
    for (M m : sched.threads.all()) {
      G g = m.current();
      if (g != null) {
        long used = m.advanceCpu();
        g.charge(used);
        sum += used;
      }
    }
    return sum;
  }

  /** Returns the totals by creation site, the largest first. */
  public List<Use> bySite() {
    Map<String, Long> sums = new HashMap<>();
    totals().forEach((origin, nanos) -> sums.merge(origin.site().toString(), nanos, Long::sum));
    return largestFirst(sums);
  }

  /** Returns the totals by label, such as {@code tenant=acme}, the largest first. */
  public List<Use> byLabel() {
    Map<String, Long> sums = new HashMap<>();
    totals()
        .forEach(
            (origin, nanos) ->
                origin.labels().forEach((k, v) -> sums.merge(k + "=" + v, nanos, Long::sum)));
    return largestFirst(sums);
  }

  private static List<Use> largestFirst(Map<String, Long> sums) {
    return sums.entrySet().stream()
        .map(each -> new Use(each.getKey(), each.getValue()))
        .sorted(Comparator.comparingLong(Use::nanos).reversed().thenComparing(Use::by))
        .toList();
  }

  private Map<CpuTotals.Origin, Long> totals() {
    Map<CpuTotals.Origin, Long> all = sched.cpuTotals.copy();
    if (isExact()) {
      for (M m : sched.threads.all()) {
        addRun(m, all);
      }
    }
    return all;
  }

  /** Adds what the goroutine that runs on {@code m} has used since it was charged. */
  private static void addRun(M m, Map<CpuTotals.Origin, Long> all) {
    G g = m.current();
    long used = g == null ? 0 : g.cpuNanos() - g.chargedNanos();
    if (g != null && used > 0) {
      all.merge(CpuTotals.Origin.of(g.site(), g.thread, g.labels()), used, Long::sum);
    }
  }
}
