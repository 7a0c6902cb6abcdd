package io.heddle.internal.sched;

import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.ThreadState;
import io.heddle.internal.jdk.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a goroutine has not run between two moments. An observer takes a witness of a
 * goroutine that waits, and asks later whether it {@linkplain #holds holds}.
 *
 * @param turn how often the goroutine had become ready
 * @param lastRun when it ran last, in coarse time
 * @param cpu the CPU time of its M if it waits together with the M; 0 if it is unmounted
 */
public record RunWitness(int turn, int lastRun, long cpu) {
  /*
   * An unmounted goroutine. Steps:
   *   1. Read the turn; the status must be RUNNING, so the goroutine is in no queue.
   *   2. Read the JDK state, which must be one of the waiting states.
   *   3. Read the turn and the JDK state again. The turn must be as before, and the JDK state must
   *   again be one of the waiting states.
   * To run after step 2, the goroutine must become ready, and that increments the turn. So it has
   * not run between steps 2 and 3 if the turn is the same. There is one exception: the waker has
   * written the JDK state and not yet the turn, and a spurious run of an M (G, Ordering) continues
   * the goroutine. But before each run, also a spurious one, the M writes to lastRun when its row
   * of runs began. So the exception goes unnoticed only if that row began at the coarse time of the
   * goroutine's last run. Observers exclude that: they ask only about goroutines whose last run is
   * long ago.
   *
   * A pinned goroutine waits together with its M, and no turn is counted when it continues. But a
   * thread that continues uses CPU time, and one that waits uses none. If the CPU time is not
   * known, there is no witness.
   *
   * Checked by: RunWitnessTest.
   */

  /**
   * Returns a witness of {@code g}; null if {@code g} does not wait. Also null if {@code g} waits
   * pinned to its M, and that M or its CPU time is not known.
   */
  public static @Nullable RunWitness of(G g) {
    if (!g.isOffQueue()) {
      return null;
    }
    int turn = g.turn();
    int lastRun = g.lastRun;
    ThreadState phase = VirtualThreads.phase(g.thread);
    if (!phase.isWaiting()) {
      return null;
    }
    long cpu = phase == ThreadState.PINNED ? cpuOfM(g) : 0;
    return cpu < 0 ? null : new RunWitness(turn, lastRun, cpu);
  }

  /**
   * Returns true only if {@code g} has not run since this witness of it was taken. False means that
   * {@code g} may have run: it has become ready since, or {@link #of} returns null for it now.
   */
  public boolean holds(G g) {
    return equals(of(g));
  }

  private static long cpuOfM(G g) {
    for (M m : g.sched.threads.all()) {
      if (m.current() == g) {
        return CpuTime.of(m);
      }
    }
    return -1;
  }
}
