package io.heddle.internal.sched;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The configuration of a scheduler.
 *
 * @param procs the number of Ps, from 1 to {@link #MAX_PROCS}
 * @param maxThreads the maximal number of Ms
 * @param timeSlice for how many nanoseconds goroutines that hand over to each other keep a P
 * @param idleTime after how many nanoseconds an idle M ends
 * @param deadlockDetection whether {@code Scheduler.run} throws {@code DeadlockException} when the
 *     main goroutine can never continue
 * @param starter starts a thread; tests make it fail
 * @param adopted makes the goroutine for a thread that a goroutine started with plain JDK calls
 * @param uncaught called with an exception that a goroutine's task threw
 */
public record SchedConfig(
    String name,
    int procs,
    int maxThreads,
    long timeSlice,
    long idleTime,
    boolean deadlockDetection,
    Consumer<Thread> starter,
    GoroutineFactory adopted,
    BiConsumer<G, Throwable> uncaught) {

  /** The maximal number of Ps: Go's former limit, so that a set of Ps fits into 16 words. */
  public static final int MAX_PROCS = 1024;

  /** The default for the maximal number of Ms: Go's limit. */
  public static final int MAX_THREADS = 10_000;

  /** Go's time slice, 10 ms. */
  public static final long TIME_SLICE_NANOS = 10_000_000;

  /**
   * After how long an idle M ends: a minute. That is long enough to bridge a lull, and short enough
   * not to keep the threads of a burst.
   */
  public static final long IDLE_TIME_NANOS = 60_000_000_000L;

  /** Makes the goroutine for a thread that was made with plain JDK calls. */
  @FunctionalInterface
  public interface GoroutineFactory {
    G adopt(Sched sched, Thread thread);
  }
}
