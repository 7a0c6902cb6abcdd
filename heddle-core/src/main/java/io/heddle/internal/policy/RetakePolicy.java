package io.heddle.internal.policy;

import io.heddle.internal.jdk.OsThread;

/**
 * Decides what the monitor ({@code Sysmon}) does about a P whose M has been in the same time slice
 * since the monitor's last look (rules S2, S3).
 */
public final class RetakePolicy {
  /*
   * The decision table. Its columns are the methods of Situation, in their order. A dash means that
   * the value does not matter, and is not measured.
   *
   *   parked  P       slice  asked  waits for  computes  work   may reach  verdict
   *           wanted  over          a CPU                waits  a check
   *   yes     no      no     -      -          -         -      -          NOTHING
   *   yes     yes     -      -      -          -         -      -          RETAKE_PINNED
   *   yes     -       yes    -      -          -         -      -          RETAKE_PINNED
   *   no      -       no     -      -          -         -      -          NOTHING
   *   no      -       yes    no     -          -         -      -          ASK
   *   no      -       yes    yes    yes        -         -      -          WAIT_FOR_CPU
   *   no      -       yes    yes    no         yes       no     -          MEASURE_AGAIN
   *   no      -       yes    yes    no         yes       yes    yes        WAIT_FOR_CHECK
   *   no      -       yes    yes    no         yes       yes    no         RETAKE_COMPUTING
   *   no      -       yes    yes    no         no        -      -          RETAKE_NATIVE
   *
   * Checked by: RetakePolicyTest.
   */

  /** What the monitor must do. */
  public enum Verdict {
    /** Nothing: the slice is not over. If the M is blocked, also nothing wants its P. */
    NOTHING,
    /** Ask the goroutine to yield at its next scheduling point. */
    ASK,
    /**
     * Leave the P with its M, because the M waits for a CPU and would gain nothing from losing the
     * P.
     */
    WAIT_FOR_CPU,
    /** Measure the CPU time again: the goroutine computes, and no work waits for its P. */
    MEASURE_AGAIN,
    /** Leave the goroutine time to reach a woven yield check. */
    WAIT_FOR_CHECK,
    /** Retake the P: the goroutine is blocked without unmounting, so its M is blocked, too. */
    RETAKE_PINNED,
    /** Retake the P: the goroutine computes. */
    RETAKE_COMPUTING,
    /** Retake the P: the goroutine is in native code. */
    RETAKE_NATIVE
  }

  /**
   * What the monitor can know about the slice of an M. Each value is asked for only if the verdict
   * depends on it, because some values are costly to measure.
   */
  public interface Situation {
    /** Whether the M's thread is blocked or waits, with a goroutine on it: column "parked". */
    boolean isBlocked();

    /**
     * Whether an M must have the P: there is work ({@link #isWorkWaiting}), or no timekeeper
     * watches the timers and sockets of the scheduler.
     */
    boolean isPWanted();

    /** Whether the slice has lasted for a whole time slice by the clock. */
    boolean isSliceOver();

    /** Whether an earlier look has asked the goroutine to yield. */
    boolean isAsked();

    /** Whether the M waits for a CPU, and has not had a whole slice of CPU time yet. */
    boolean waitsForCpu();

    /**
     * Whether the M has used CPU time since its CPU time was last measured; true if that is not
     * known.
     */
    boolean computes();

    /** Whether goroutines wait in the queue of the P or in the global queue, or a timer is due. */
    boolean isWorkWaiting();

    /**
     * Whether the goroutine, if its code is woven, may still reach a yield check within the time
     * granted for that.
     */
    boolean mayReachCheck();
  }

  /**
   * How many slices an M that wants a CPU may go without one before its P can be retaken. Without
   * this limit, the goroutines in the queue of that P could wait forever.
   */
  private static final int MAX_SLICES_OFF_CPU = 5;

  private RetakePolicy() {}

  /** Returns the verdict of the decision table for {@code s}. */
  public static Verdict decide(Situation s) {
    if (s.isBlocked()) {
      return s.isSliceOver() || s.isPWanted() ? Verdict.RETAKE_PINNED : Verdict.NOTHING;
    }
    if (!s.isSliceOver()) {
      return Verdict.NOTHING;
    }
    if (!s.isAsked()) {
      return Verdict.ASK;
    }
    if (s.waitsForCpu()) {
      return Verdict.WAIT_FOR_CPU;
    }
    if (!s.computes()) {
      return Verdict.RETAKE_NATIVE;
    }
    if (!s.isWorkWaiting()) {
      return Verdict.MEASURE_AGAIN;
    }
    return s.mayReachCheck() ? Verdict.WAIT_FOR_CHECK : Verdict.RETAKE_COMPUTING;
  }

  /**
   * Whether an M that has not had a whole slice of CPU time yet keeps its P for now, because it
   * waits for a CPU, or may wait for one.
   *
   * @param state what the thread of the M wants, according to the operating system
   * @param sliceNanos how long the slice has lasted by the clock, in nanoseconds
   * @param timeSlice how long a slice is, in nanoseconds
   * @param procs the number of Ps
   * @param cpus the number of CPUs
   * @param background whether the M is in the background. Then it may be without a CPU for long. If
   *     its P were retaken, one more thread in the background would want a CPU each time.
   */
  public static boolean waitsForCpu(
      OsThread.RunState state,
      long sliceNanos,
      long timeSlice,
      int procs,
      int cpus,
      boolean background) {
    return switch (state) {
      case CPU -> background || sliceNanos < timeSlice * Math.max(MAX_SLICES_OFF_CPU, procs / cpus);
      case SOMETHING_ELSE -> false;
      // If there are more Ps than CPUs, the M keeps its P until it has had its share of the time.
      case UNKNOWN -> procs > cpus && sliceNanos < timeSlice * procs / cpus;
    };
  }
}
