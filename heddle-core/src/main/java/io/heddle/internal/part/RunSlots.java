package io.heddle.internal.part;

import org.jspecify.annotations.Nullable;

/**
 * What an M keeps during a row of runs. A row begins when the M leaves the scheduler and ends when
 * it is back there. In between, the M runs goroutines one after another; each is one run.
 *
 * @param <T> the type of the goroutines
 */
public final class RunSlots<T> {
  /** How much of the CPU time of the M has been charged: see {@link CpuClock}. */
  public final CpuClock<T> cpu = new CpuClock<>();

  // Plain fields. Only the M uses them, except that thieves read runs, as a heuristic.
  private @Nullable T yielded; // the goroutine that has yielded and is not queued yet
  private @Nullable T deferred; // a goroutine that must be handed to the M it is locked to
  private int runs; // how many runs the row has had
  private int time; // the coarse time (Sysmon.coarseTime) at which the row began

  /** Begins a row of runs at {@code coarseTime} (see {@code Sysmon.coarseTime}). */
  public void begin(int coarseTime) {
    time = coarseTime;
  }

  /** Counts one more run, and returns the coarse time at which the row began. */
  public int next() {
    runs++;
    return time;
  }

  /** Ends the row, and returns how many runs it had. */
  public int end() {
    int ran = runs;
    runs = 0;
    return ran;
  }

  /** Returns how many runs the row has had. Callable by any thread; approximate. */
  public int runs() {
    return runs;
  }

  /** Keeps {@code goroutine}, which has yielded, until {@link #takeYielded}. */
  public void yielded(T goroutine) {
    yielded = goroutine;
  }

  /** Takes the goroutine that has yielded; null if there is none. */
  public @Nullable T takeYielded() {
    T taken = yielded;
    if (taken != null) {
      yielded = null;
    }
    return taken;
  }

  /** Keeps a goroutine that is locked to another M, until it is handed to that M. */
  public void defer(T goroutine) {
    deferred = goroutine;
  }

  /** Takes the goroutine that {@link #defer} keeps; null if there is none. */
  public @Nullable T takeDeferred() {
    T taken = deferred;
    deferred = null;
    return taken;
  }
}
