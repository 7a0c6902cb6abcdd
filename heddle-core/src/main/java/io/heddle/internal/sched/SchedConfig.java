package io.heddle.internal.sched;

import io.heddle.internal.admit.Gate;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a scheduler.
 *
 * @param procs the number of Ps at the start, from 1 to {@link #MAX_PROCS}
 * @param maxThreads the maximal number of Ms at the start
 * @param timeSlice for how many nanoseconds goroutines keep a P before others get it; a goroutine
 *     and those that it wakes share one slice
 * @param idleTime after how many nanoseconds an idle M ends
 * @param deadlockDetection whether {@code Scheduler.run} throws {@code DeadlockException} when the
 *     main goroutine can never continue
 * @param background whether the Ms have a low priority in the operating system
 * @param overloadTarget for how many nanoseconds goroutines may wait for a P before new work is
 *     shed; 0 if no work is shed
 * @param exactCpuTime whether each run is charged with its CPU time; else CPU times are sampled
 * @param starter starts the thread of an M; a test can pass one that fails
 * @param adopted makes the goroutine for a thread that was made with plain JDK calls
 * @param uncaught called with an exception that a goroutine's task threw
 */
public record SchedConfig(
    String name,
    int procs,
    int maxThreads,
    long timeSlice,
    long idleTime,
    boolean deadlockDetection,
    boolean background,
    long overloadTarget,
    boolean exactCpuTime,
    Consumer<Thread> starter,
    GoroutineFactory adopted,
    BiConsumer<G, Throwable> uncaught) {

  /** The maximal number of Ps: Go's former limit. A bit set of all Ps takes 16 words of 64 bits. */
  public static final int MAX_PROCS = 1024;

  /** The default for the maximal number of Ms: Go's limit. */
  public static final int MAX_THREADS = 10_000;

  /** Go's time slice, 10 ms. */
  public static final long TIME_SLICE_NANOS = 10_000_000;

  /**
   * After how long an idle M ends: one minute. The Ms survive a short pause of the load, and the
   * additional Ms of a burst do not stay long.
   */
  public static final long IDLE_TIME_NANOS = 60_000_000_000L;

  /** Makes the goroutine for a thread that was made with plain JDK calls. */
  @FunctionalInterface
  public interface GoroutineFactory {
    /**
     * Makes the goroutine for {@code thread}. {@code gate} is the gate that the thread has entered
     * and leaves at its end; null if there is none.
     */
    G adopt(Sched sched, Thread thread, @Nullable Gate gate);
  }
}
