package io.heddle;

import io.heddle.internal.explore.ExploredClasses;
import io.heddle.internal.explore.ExploringDriver;
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
 * A program in a world of its own, for tests: its goroutines run one at a time, a seed decides which one is next at every
 * scheduling point, and time is a number that jumps to the next timer when all of them wait. The same seed gives the same
 * run, as far as nothing outside has a part in it.
 *
 * <p>Everything that the body starts is inside: with {@link Go#go}, {@link Thread#startVirtualThread}, an executor with a
 * virtual thread per task. A goroutine may make way before each operation of this library, wherever the JDK parks it, and, with
 * the agent, at each call and each access to a field in classes that {@link #explore} names. The time is that of
 * {@link Go#sleep}, timers and contexts, and, with the agent, of {@link Thread#sleep} and timed waits of the JDK.
 *
 * <p>Other threads, sockets and files are outside. They are as they always are, and {@link Outcome#outside} counts how often
 * they had a part.
 */
public final class Bubble {
  /** Far more than a test that ends needs: some seconds. */
  private static final long MAX_STEPS = 1_000_000;

  /** How many nanoseconds a goroutine may run without a scheduling point: the first time that classes are loaded included. */
  private static final long NO_POINT_PATIENCE_NANOS = 30_000_000_000L;

  private static final long LOOK = 1_000_000_000;

  private final long seed;
  private long maxSteps = MAX_STEPS;
  private boolean leftovers;

  private Bubble(long seed) {
    this.seed = seed;
  }

  /**
   * What happened.
   *
   * @param failure why the test is not passed: what the body or another goroutine threw, a {@link DeadlockException}, or a
   *     {@link BubbleException}; null if it is
   * @param steps how often a goroutine was chosen
   * @param trail the same for two runs in which the same goroutines ran in the same order at the same times
   * @param elapsed how much time has passed inside
   * @param outside how often a thread outside made a goroutine ready: if that is not 0, the seed does not decide it all
   */
  public record Outcome(
      long seed,
      @Nullable Throwable failure,
      long steps,
      long trail,
      Duration elapsed,
      int outside) {}

  /** One whose order {@code seed} decides. Each number is as good as any other. */
  public static Bubble of(long seed) {
    return new Bubble(seed);
  }

  /** How often a goroutine is chosen at most, before that is a failure; else a million times. */
  public Bubble maxSteps(long n) {
    if (n < 1) {
      throw new IllegalArgumentException("maxSteps " + n + ": allowed is 1 or more");
    }
    maxSteps = n;
    return this;
  }

  /** Whether goroutines may be left that wait when the body has returned; unless told so, that is a failure. */
  public Bubble leftovers(boolean allowed) {
    leftovers = allowed;
    return this;
  }

  /**
   * From now on a goroutine in a bubble may make way also between any two steps of these classes: before each call, and each
   * access to a field. Whether that is possible: only with the agent.
   *
   * @param classes names, or beginnings of names with {@code *} behind
   */
  public static boolean explore(String... classes) {
    return ExploredClasses.add(classes);
  }

  /** Runs {@code body} as the main goroutine, and whatever that starts. Not from inside a bubble. */
  public Outcome run(Task body) {
    Objects.requireNonNull(body, "body");
    VirtualThreads.ensureOpen();
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
   * Waits until every other goroutine of the caller's bubble waits for something that only another one, or the clock, could
   * bring. Time stands still meanwhile. Go's {@code synctest.Wait}.
   *
   * @throws IllegalStateException outside of a bubble, or if another goroutine waits for the same
   */
  public static void settle() throws InterruptedException {
    here("settle").settle();
  }

  /** The time inside: midnight of the 1st of January 2000, UTC, and what has passed since. */
  public static Instant now() {
    ExploringDriver _ = here("now");
    return SchedClock.instant();
  }

  /** How much time has passed inside. */
  public static Duration elapsed() {
    return Duration.ofNanos(here("elapsed").elapsed());
  }

  /** A scheduling point more: in a bubble the caller may make way here. Elsewhere this does nothing. */
  public static void point() {
    if (VirtualThreads.isOpen()) {
      SchedulingPoint.reached();
    }
  }

  private static ExploringDriver here(String what) {
    ExploringDriver driver = VirtualThreads.isOpen() ? ExploringDriver.ofCaller() : null;
    if (driver == null) {
      throw new IllegalStateException(what + ": the caller is no goroutine in a bubble");
    }
    return driver;
  }

  /** One run, and the thread that waits for it. */
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

    /** The first failure ends it. */
    private void stop(Throwable t) {
      if (thrown == null) {
        thrown = t;
      }
      driver.stop();
    }

    /** Whether it has ended by itself. */
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
