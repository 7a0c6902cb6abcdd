package io.heddle;

import io.heddle.internal.sched.CpuTimes;
import java.util.List;

/**
 * How much CPU time the goroutines of a scheduler have used since it was made, those that have
 * ended included: see {@link Goroutine#cpuTime}.
 *
 * {@snippet :
 * for (CpuUsage.Share share : Scheduler.shared().cpuUsage().byLabel()) {
 *   System.out.printf("%s: %d ms%n", share.by(), share.nanos() / 1_000_000);
 * }
 * }
 *
 * <p>An immutable snapshot: {@link Scheduler#cpuUsage} returns a new one at each call.
 *
 * @param exact whether each run of a goroutine was measured (setting {@code heddle.cputime}); else
 *     the figures are samples, and include what the scheduler itself used
 * @param bySite the totals by creation site, the largest first. Threads that the program made with
 *     plain JDK calls have none; they are told apart by their names without the number at the end
 * @param byLabel the totals by {@linkplain Go#label label}, the largest first. A goroutine with two
 *     labels counts for both
 */
public record CpuUsage(boolean exact, List<Share> bySite, List<Share> byLabel) {
  /** How many shares each list has at most. */
  private static final int MAX_SHARES = 100;

  /**
   * The goroutines of one creation site, or with one label.
   *
   * @param by the creation site, or the label, such as {@code tenant=acme}
   * @param nanos their CPU time in nanoseconds
   */
  public record Share(String by, long nanos) {}

  static CpuUsage of(CpuTimes times) {
    return new CpuUsage(times.isExact(), shares(times.bySite()), shares(times.byLabel()));
  }

  private static List<Share> shares(List<CpuTimes.Use> uses) {
    return uses.stream().limit(MAX_SHARES).map(use -> new Share(use.by(), use.nanos())).toList();
  }
}
