package io.heddle.internal.part;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The labels and the CPU time of one goroutine. A goroutine has none before it gets labels, is
 * charged with CPU time, or is asked for an exact CPU time: see {@code G.account}.
 */
public final class Account {
  /*
   * field          writer                                        readers          mode
   * site           constructor                                   all              final
   * labels         the thread that makes the goroutine, then     all              volatile
   *                the goroutine
   * nanos          the charger: sysmon, or if CPU times are      observers        release, acquire
   *                exact the M that runs the goroutine
   * told           observers, only upwards                       observers      volatile, CAS
   * total, totalOf the charger                                                    plain
   *
   * If CPU times are exact, the charger changes when another M runs the goroutine. The run queue,
   * through which the goroutine gets to the new M, orders the writes of the old M before those of
   * the new M.
   */
  private static final VarHandle NANOS = Handles.field(MethodHandles.lookup(), "nanos", long.class);

  private static final VarHandle TOLD = Handles.field(MethodHandles.lookup(), "told", long.class);

  /** Where the goroutine was created; null if that is not known. */
  public final @Nullable StackTraceElement site;

  private volatile Map<String, String> labels;
  private long nanos;
  private volatile long told;

  // The total (see CpuTotals) to which this account adds, and the labels for which that total was
  // looked up. Both are null before the first charge.
  private @Nullable LongAdder total;
  private @Nullable Map<String, String> totalOf;

  public Account(@Nullable StackTraceElement site, Map<String, String> labels) {
    this.site = site;
    this.labels = labels;
  }

  /** Returns the labels. Callable by any thread. */
  public Map<String, String> labels() {
    return labels;
  }

  /** Replaces the labels. */
  public void label(Map<String, String> newLabels) {
    labels = newLabels;
  }

  /** Returns the CPU time charged so far. Callable by any thread. */
  public long nanosAcquire() {
    return (long) NANOS.getAcquire(this);
  }

  /**
   * Returns {@code time}, or what an observer was told before if that is more. So no observer sees
   * the time go back.
   */
  public long tell(long time) {
    for (long before = told; time > before; before = told) {
      if (TOLD.compareAndSet(this, before, time)) {
        return time;
      }
    }
    return told;
  }

  /**
   * Adds {@code delta} nanoseconds to this account, the account of the goroutine on {@code thread},
   * and to the total of its origin in {@code totals}. Called by the charger.
   */
  public void charge(Thread thread, CpuTotals totals, long delta) {
    NANOS.setRelease(this, nanos + delta);
    Map<String, String> now = labels;
    LongAdder sum = total;
    if (sum == null || totalOf != now) {
      sum = totals.of(CpuTotals.Origin.of(site, thread, now));
      total = sum;
      totalOf = now;
    }
    sum.add(delta);
  }
}
