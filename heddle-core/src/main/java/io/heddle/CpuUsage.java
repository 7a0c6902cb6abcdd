package io.heddle;

import io.heddle.internal.sched.CpuTimes;
import java.util.List;

/**
 * How much CPU time the goroutines of a scheduler have used since the scheduler was made: see
 * {@link Goroutine#cpuTime}. Goroutines that have ended count, too.
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
 * @param bySite the CPU time by creation site, the largest first, at most 100 sites. Threads that
 *     the program made with plain JDK calls have no creation site. For them the thread name is
 *     shown, without the number at its end
 * @param byLabel the CPU time by {@linkplain Go#label label}, the largest first, at most 100
 *     labels. A goroutine with two labels counts for both
 */
public record CpuUsage(boolean exact, List<Share> bySite, List<Share> byLabel) {
  /** The largest number of shares in each list. */
  private static final int MAX_SHARES = 100;

  /**
   * The CPU time of all goroutines of one creation site, or with one label.
   *
   * @param by the creation site, or the label, such as {@code tenant=acme}
   * @param nanos the CPU time in nanoseconds
   */
  public record Share(String by, long nanos) {}

  static CpuUsage of(CpuTimes times) {
    return new CpuUsage(times.isExact(), shares(times.bySite()), shares(times.byLabel()));
  }

  private static List<Share> shares(List<CpuTimes.Use> uses) {
    return uses.stream().limit(MAX_SHARES).map(use -> new Share(use.by(), use.nanos())).toList();
  }
}
