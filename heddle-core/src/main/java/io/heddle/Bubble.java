package io.heddle;

import io.heddle.internal.explore.ExploredClasses;
import io.heddle.internal.explore.ExploringDriver;
import io.heddle.internal.jdk.JdkFeature;
import io.heddle.internal.jdk.JdkRelease;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.YieldPoint;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.sched.SchedulingPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs code in an isolated world for tests: one goroutine at a time, in an order that a seed
 * decides, with a clock that jumps. The same seed gives the same run, unless a thread outside the
 * bubble takes part in the run.
 *
 * {@snippet :
 * for (long seed = 1; seed <= 1000; seed++) {
 *   Bubble.Outcome outcome = Bubble.of(seed).run(() -> testTransfers());
 *   assertNull(outcome.failure(), () -> "seed " + outcome.seed());
 * }
 * }
 *
 * <p>With JUnit, {@code @HeddleTest} of module {@code io.heddle.junit} replaces this loop.
 *
 * <p><b>Inside</b> is everything that the body starts: goroutines of {@link Go#go}, threads of
 * {@link Thread#startVirtualThread}, executors with a virtual thread for each task. At every
 * scheduling point the seed decides which goroutine continues. Scheduling points are before each
 * operation of this library, and wherever the JDK parks a goroutine. With the agent, they are also
 * at each call and each field access in the classes that {@link #explore} names.
 *
 * <p><b>Time</b> starts at midnight of 2000-01-01 UTC. When all goroutines wait, it jumps to the
 * time of the next timer. {@link Go#sleep}, timers and contexts use this time; with the agent also
 * {@link Thread#sleep(long)} and the JDK's timed waits.
 *
 * <p><b>Outside</b> are platform threads, sockets and files. They behave as always, and
 * {@link Outcome#outside} counts how often they made a goroutine of the bubble ready.
 *
 * <p>A Bubble object holds only the options of its runs. It can run several times, but only one
 * thread may use it. Goroutines inside call {@link #settle}, {@link #now}, {@link #elapsed} and
 * {@link #point}.
 */
public final class Bubble {
  /**
   * The default of {@link #maxSteps}, the largest number of steps of a run. A test that ends needs
   * far fewer. A run that never ends reaches this number after some seconds of real time.
   */
  private static final long MAX_STEPS = 1_000_000;

  /**
   * The nanoseconds of real time that a goroutine may run without a scheduling point. After that
   * the run fails. The limit is this large because the goroutine may have to load classes.
   */
  private static final long NO_POINT_PATIENCE_NANOS = 30_000_000_000L;

  /**
   * The nanoseconds between two checks of the progress of a run. The thread that called
   * {@link #run} makes these checks while it waits.
   */
  private static final long LOOK = 1_000_000_000;

  private final long seed;
  private long maxSteps = MAX_STEPS;
  private boolean leftovers;

  private Bubble(long seed) {
    this.seed = seed;
  }

  /**
   * The result of a run.
   *
   * @param seed the seed of the run
   * @param failure why the run failed: what the body or another goroutine threw, a
   *     {@link DeadlockException}, or a {@link BubbleException}; null if it succeeded
   * @param steps how often a goroutine was chosen to continue
   * @param trail a hash of the run: equal for two runs in which the same goroutines ran in the same
   *     order at the same times
   * @param elapsed how much time passed in the bubble, by its own clock
   * @param outside how often a thread outside the bubble made one of its goroutines ready; if this
   *     is not 0, the seed alone does not decide the run
   */
  public record Outcome(
      long seed,
      @Nullable Throwable failure,
      long steps,
      long trail,
      Duration elapsed,
      int outside) {}

  /**
   * Makes a bubble whose order {@code seed} decides.
   *
   * @param seed any number
   * @return a new bubble
   */
  public static Bubble of(long seed) {
    return new Bubble(seed);
  }

  /**
   * Sets how many steps a run may take before it counts as a failure. Default: a million.
   *
   * @param n the largest number of steps, 1 or more
   * @return this bubble
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public Bubble maxSteps(long n) {
    if (n < 1) {
      throw new IllegalArgumentException("maxSteps " + n + ": allowed is 1 or more");
    }
    maxSteps = n;
    return this;
  }

  /**
   * Sets whether a run may succeed although goroutines still wait at its end, when the body has
   * returned and no goroutine can continue. Default: false, such a run fails.
   *
   * @param allowed whether waiting goroutines may be left at the end
   * @return this bubble
   */
  public Bubble leftovers(boolean allowed) {
    leftovers = allowed;
    return this;
  }

  /**
   * Adds scheduling points to classes: from now on a goroutine in a bubble may yield before each
   * call and each field access in them.
   *
   * @param classes names of classes, or beginnings of names followed by {@code *}
   * @return true if the scheduling points are added; false without the agent, or if the agent
   *     cannot add them in this JVM
   */
  public static boolean explore(String... classes) {
    return ExploredClasses.add(classes);
  }

  /**
   * Runs {@code body} as the main goroutine of a new scheduler. Returns when no goroutine of the
   * bubble can continue, or when the run has failed. An interrupt of the caller ends the run with a
   * {@link BubbleException} and leaves the interrupt flag set.
   *
   * @param body the code to run
   * @return the result; a failure is in it and is not thrown
   * @throws IllegalStateException if the caller is in a bubble, if {@code java.lang} is not open to
   *     Heddle, or if Heddle does not know this JDK
   */
  public Outcome run(Task body) {
    Objects.requireNonNull(body, "body");
    VirtualThreads.ensureOpen();
    JdkRelease.current().require(JdkFeature.BUBBLES);
    EarlyInitialization.run();
    if (ExploringDriver.ofCaller() != null) {
      throw new IllegalStateException("a bubble cannot run in another");
    }
    ExploringDriver.prepare();
    boolean raised = YieldPoint.raise();
    try {
      return new Run(seed, maxSteps, leftovers).run(body);
    } finally {
      if (raised) {
        YieldPoint.lower();
      }
    }
  }

  /**
   * Waits until no other goroutine of the caller's bubble can run: each of them waits for another
   * goroutine or for the clock. The bubble's time does not pass meanwhile. This is Go's
   * {@code synctest.Wait}.
   *
   * @throws InterruptedException if the caller is interrupted while it waits
   * @throws IllegalStateException if the caller is not in a bubble, or if another goroutine waits
   *     in this method already
   */
  public static void settle() throws InterruptedException {
    here("settle").settle();
  }

  /**
   * Returns the time by the clock of the caller's bubble: midnight of 2000-01-01 UTC plus
   * {@link #elapsed}.
   *
   * @return the time
   * @throws IllegalStateException if the caller is not in a bubble
   */
  public static Instant now() {
    ExploringDriver _ = here("now");
    return SchedClock.instant();
  }

  /**
   * Returns how much time has passed in the caller's bubble, by the bubble's own clock.
   *
   * @return the time since the start of the run
   * @throws IllegalStateException if the caller is not in a bubble
   */
  public static Duration elapsed() {
    return Duration.ofNanos(here("elapsed").elapsed());
  }

  /**
   * Adds a scheduling point: in a bubble, another goroutine may continue here. Outside a bubble
   * this method does nothing.
   */
  public static void point() {
    if (VirtualThreads.isOpen()) {
      SchedulingPoint.reached();
    }
  }

  private static ExploringDriver here(String what) {
    ExploringDriver driver = VirtualThreads.isOpen() ? ExploringDriver.ofCaller() : null;
    if (driver == null) {
      throw new IllegalStateException(what + ": the caller is not a goroutine in a bubble");
    }
    return driver;
  }

  /** One run of a bubble, and the thread that called {@link Bubble#run} and waits for the run. */
  private static final class Run {
    private final Thread waiter = Thread.currentThread();
    private final long seed;
    private final boolean leftovers;
    private final ExploringDriver driver;
    private final Scheduler scheduler;
    private volatile @Nullable Throwable thrown;

    Run(long seed, long maxSteps, boolean leftovers) {
      this.seed = seed;
      this.leftovers = leftovers;
      this.driver = new ExploringDriver(seed, maxSteps, () -> LockSupport.unpark(waiter));
      Scheduler.Builder builder =
          Scheduler.builder().name("bubble").procs(1).maxThreads(1).uncaught((g, e) -> stop(e));
      this.scheduler = new Scheduler(builder, driver);
    }

    Outcome run(Task body) {
      try {
        Goroutine _ = scheduler.go("main", () -> main(body));
        Throwable failure = await() ? failure() : thrown;
        return new Outcome(
            seed,
            failure,
            driver.steps(),
            driver.trail(),
            Duration.ofNanos(driver.elapsed()),
            driver.outside());
      } finally {
        scheduler.sched().closing().abandon();
      }
    }

    private void main(Task body) {
      try {
        body.run();
        driver.mainIsOver();
      } catch (Throwable t) {
        stop(t);
      }
    }

    /** Ends the run, because it has failed with {@code t}. Keeps only the first failure. */
    private void stop(Throwable t) {
      if (thrown == null) {
        thrown = t;
      }
      driver.stop();
    }

    /**
     * Waits for the end of the run. Returns true if the driver ended the run. Returns false if this
     * method ended it, because the caller was interrupted or a goroutine reached no scheduling
     * point for too long.
     */
    private boolean await() {
      long steps = -1;
      long since = System.nanoTime();
      while (driver.end() == null) {
        LockSupport.parkNanos(this, LOOK);
        if (Thread.interrupted()) {
          stop(new BubbleException("the test was interrupted", where()));
          Thread.currentThread().interrupt();
          return false;
        }
        if (driver.steps() != steps) {
          steps = driver.steps();
          since = System.nanoTime();
        } else if (System.nanoTime() - since > NO_POINT_PATIENCE_NANOS) {
          stop(
              new BubbleException(
                  "a goroutine has run for 30 s without a scheduling point", where()));
          return false;
        }
      }
      return true;
    }

    private String where() {
      return "\n\n" + scheduler.dump();
    }

    private @Nullable Throwable failure() {
      Throwable error = driver.error();
      if (error != null) {
        return new BubbleException("the scheduler failed: " + error, where(), error);
      }
      return switch (Objects.requireNonNull(driver.end())) {
        case STOPPED -> thrown;
        case DEADLOCK -> new DeadlockException("every goroutine waits", scheduler.dump());
        case TOO_LONG -> new BubbleException("no end after " + driver.steps() + " steps", where());
        case QUIET -> leftover();
      };
    }

    private @Nullable Throwable leftover() {
      int left = scheduler.goroutines();
      if (leftovers || left == 0) {
        return null;
      }
      return new BubbleException(
          "the test has returned, and "
              + left
              + (left == 1 ? " goroutine waits" : " goroutines wait"),
          where());
    }
  }
}
