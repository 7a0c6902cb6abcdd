package io.heddle;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.admit.Gates;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The largest number of goroutines that an executor has at a time, and what happens to further
 * submissions: the submitter waits, is refused, or runs the task itself. A limit bounds work before
 * goroutines are created for it. A semaphore inside the tasks would not do that.
 *
 * {@snippet :
 * Limit limit = Limit.blocking(100).within(Duration.ofMillis(50)).named("reports");
 * try (ExecutorService executor = scheduler.executor(limit)) {
 *   // Throws RejectedExecutionException after 50 ms without a place.
 *   executor.submit(() -> report(request));
 * }
 * }
 *
 * <p>{@link Scheduler#limits} counts what happens at a limit, and so do JMX and the metrics. A
 * limit does not change and can be used by any thread. It can be used for several executors; each
 * of them then admits its own n goroutines.
 *
 * <p>A task that waits for another task of the same executor can wait forever if the limit is
 * reached. Use {@link #callerRuns} or {@link #within} for such tasks.
 */
public final class Limit {
  private final int max;
  private final Gate.WhenFull whenFull;
  private final long waitNanos;
  private final String name;

  private Limit(int max, Gate.WhenFull whenFull, long waitNanos, String name) {
    if (max < 1) {
      throw new IllegalArgumentException("the limit is " + max + ": allowed is 1 or more");
    }
    this.max = max;
    this.whenFull = whenFull;
    this.waitNanos = waitNanos;
    this.name = name;
  }

  /**
   * Makes a limit: while {@code n} goroutines run, a submitter waits until one of them has ended.
   * If the submitter is interrupted while it waits, it gets a
   * {@link java.util.concurrent.RejectedExecutionException} and keeps its interrupt flag.
   *
   * @param n how many goroutines run at a time, 1 or more
   * @return the limit
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static Limit blocking(int n) {
    return new Limit(n, Gate.WhenFull.REJECT, Gate.FOREVER, "executor");
  }

  /**
   * Makes a limit: while {@code n} goroutines run, a submitter gets a
   * {@link java.util.concurrent.RejectedExecutionException}.
   *
   * @param n how many goroutines run at a time, 1 or more
   * @return the limit
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static Limit rejecting(int n) {
    return new Limit(n, Gate.WhenFull.REJECT, 0, "executor");
  }

  /**
   * Makes a limit: while {@code n} goroutines run, a submitter runs the task itself, before the
   * submission returns.
   *
   * @param n how many goroutines run at a time, 1 or more; submitters that run tasks themselves are
   *     not counted
   * @return the limit
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static Limit callerRuns(int n) {
    return new Limit(n, Gate.WhenFull.RUN_IN_CALLER, 0, "executor");
  }

  /**
   * Returns this limit with a deadline: a submitter waits at most for {@code wait}. After that the
   * submitter is refused, or runs the task itself if {@link #callerRuns} made this limit.
   *
   * @param wait how long a submitter waits at most; zero or less: not at all
   * @return the limit with a deadline
   */
  public Limit within(Duration wait) {
    return new Limit(max, whenFull, Math.max(0, TimeUnit.NANOSECONDS.convert(wait)), name);
  }

  /**
   * Returns this limit with a name, which metrics and messages show. The default is
   * {@code executor}. Limits of one scheduler with the same name are counted together.
   *
   * @param name the name; a program should use only a few, because each has its own counts
   * @return the limit with that name
   */
  public Limit named(String name) {
    return new Limit(max, whenFull, waitNanos, Objects.requireNonNull(name, "name"));
  }

  Gate openIn(Gates gates) {
    return gates.open(name, max, whenFull, waitNanos);
  }

  @Override
  public String toString() {
    String then = whenFull == Gate.WhenFull.REJECT ? "reject" : "run in the caller";
    String wait =
        waitNanos == 0
            ? then
            : waitNanos == Gate.FOREVER
                ? "block"
                : "wait " + Duration.ofNanos(waitNanos) + ", then " + then;
    return "Limit[" + name + ", " + max + ", " + wait + "]";
  }
}
