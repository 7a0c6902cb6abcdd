package io.heddle.internal.sched;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What a scheduler is made with.
 *
 * @param procs how many Ps, from 1 to {@link #MAX_PROCS}
 * @param maxThreads how many Ms at most
 * @param timeSlice for how many nanoseconds goroutines that hand over to each other keep a P
 * @param idleTime after how many nanoseconds an idle M ends
 * @param deadlockDetection whether who waits for a main goroutine is told that this can never go on
 * @param starter starts a thread; tests let it fail
 * @param adopted makes the goroutine for a thread that a goroutine started with plain JDK calls
 * @param uncaught told what left a goroutine
 */
public record SchedConfig(
    String name,
    int procs,
    int maxThreads,
    long timeSlice,
    long idleTime,
    boolean deadlockDetection,
    Consumer<Thread> starter,
    Adoption adopted,
    BiConsumer<G, Throwable> uncaught) {

  /** Go's limit, kept so that a set of Ps is a few words. */
  public static final int MAX_PROCS = 1024;

  /** Go's limit. */
  public static final int MAX_THREADS = 10_000;

  /** Go's time slice, 10 ms. */
  public static final long TIME_SLICE = 10_000_000;

  /** A minute: long enough to bridge a lull, short enough not to keep the threads of a burst for ever. */
  public static final long IDLE_TIME = 60_000_000_000L;

  /** Makes the goroutine for a thread that somebody else made. */
  @FunctionalInterface
  public interface Adoption {
    G adopt(Sched sched, Thread thread);
  }
}
