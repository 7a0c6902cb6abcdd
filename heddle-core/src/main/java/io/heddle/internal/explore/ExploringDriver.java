package io.heddle.internal.explore;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.base.FastRandom;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.jdk.BlockedOn;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Driver;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Ready;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.ScheduleLoop;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.timer.TimerHeap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives a scheduler deterministically: it runs one goroutine at a time, chooses the next one at
 * random, and lets the clock jump to the next timer when no goroutine can run. The same seed gives
 * the same choices, and so the same run of the same program.
 *
 * <p>The file is long because one loop replaces four classes of the scheduler, and shares all
 * fields.
 */
public final class ExploringDriver implements Driver {
  /*
   * The scheduler has one M, which owns no P. The loop of this class replaces ScheduleLoop,
   * FindRunnable, Timekeeper and Sysmon. Everything else is the production code: goroutines, their
   * states, timers, and all that uses them.
   *
   * Why a run is reproducible: only the M and the goroutine that it runs make goroutines ready, in
   * an order that the earlier choices have determined. There are two exceptions.
   *   Threads outside: all threads that are not this M or a goroutine on it, for example those for
   *   real I/O and real time. Before its next choice, the M takes over the goroutines that these
   *   threads have made ready, and counts them.
   *   Monitors. When a monitor has become free, a thread of the JDK makes its waiters runnable,
   *   some time later. The driver does not wait for that thread. It may also choose a goroutine
   *   that is blocked at the entry of a monitor: the goroutine tries to enter, and blocks again if
   *   it cannot. The VM and the JDK treat that like a spurious wakeup. A goroutine that has tried
   *   in vain is not chosen again before another goroutine has made progress. If all of them have
   *   tried in vain, the driver determines which threads hold the monitors (BlockedOn). If the
   *   holder of a monitor is not known, all may try again, in at most MAX_MONITOR_ROUNDS rounds.
   *
   * Ordering: the lists belong to the M and to the goroutine that runs on it. A thread outside:
   * 1. Adds to fromOutside. 2. Sets nudged. 3. Unparks the M. The M reads fromOutside and nudged
   * before it parks. The queue is thread-safe, and the flags are volatile.
   *
   * Checked by: the tests of heddle-junit.
   */

  /** How a run ended. */
  public enum RunEnd {
    /** The main goroutine has returned, and no other can run unless the clock advances. */
    QUIET,
    /** The main goroutine waits, and the driver has found that no goroutine can run any more. */
    DEADLOCK,
    /** The maximal number of steps was reached: the program may run forever. */
    TOO_LONG,
    /** {@link #stop} was called. */
    STOPPED
  }

  /**
   * The time at which the driver's clock starts. The clock of other schedulers starts at about 1,
   * too.
   */
  private static final long START_NANOS = 1;

  /**
   * The date and time at which the clock starts: 2000-01-01T00:00:00Z, as in Go's {@code
   * testing/synctest}. Not parsed, because the agent loads this class at each start.
   */
  private static final Instant EPOCH = Instant.ofEpochSecond(946_684_800);

  /**
   * How long the driver waits for a thread outside when no goroutine can run, before it reports a
   * deadlock. It does not wait if no thread outside can wake a goroutine.
   */
  private static final long OUTSIDE_PATIENCE_NANOS = 2_000_000_000;

  /**
   * The largest number of rounds in which all goroutines that are blocked at monitors try again, if
   * it is not known which threads hold the monitors.
   */
  private static final int MAX_MONITOR_ROUNDS = 20;

  /** The pause between two of these rounds, in which a thread outside may leave a monitor. */
  private static final long MONITOR_PAUSE_NANOS = 50_000;

  private static boolean prepared;

  private static volatile Runnable onFirstUse = () -> {};

  private final FastRandom random;

  /**
   * On average, a goroutine yields at one in this number of scheduling points, unless it is alone.
   */
  private final int yieldOneIn;

  private final long maxSteps;
  private final Runnable onEnd;

  private final List<G> runnable = new ArrayList<>();

  /** The goroutines that have unmounted at a monitor: at its entry, or to wait for a notify. */
  private final List<G> atMonitors = new ArrayList<>();

  /**
   * The goroutines that have tried to enter a monitor in vain since the last progress of another
   * goroutine.
   */
  private final List<G> tried = new ArrayList<>();

  /** The goroutines that threads outside have made runnable, until the M takes them over. */
  private final Queue<G> fromOutside = new ConcurrentLinkedQueue<>();

  /**
   * The number of rounds in a row in which all goroutines at monitors have tried to enter in vain.
   */
  private int rounds;

  /** The goroutine that is parked in {@link #settle}; null if there is none. */
  private @Nullable G settler;

  private long now = START_NANOS;
  private long trail;

  /**
   * How often a thread outside made a goroutine ready. The value begins at -1, because the start of
   * the main goroutine comes from outside and must not count.
   */
  private int outside = -1;

  @SuppressWarnings("NullAway.Init") // set in loopOf, when the scheduler is made
  private Sched sched;

  private volatile @Nullable M m;
  private volatile boolean nudged;
  private volatile boolean mainIsOver;
  private volatile @Nullable RunEnd end;
  private volatile @Nullable Throwable error;
  private volatile long steps;

  /**
   * Makes a driver.
   *
   * @param seed the number that determines all choices
   * @param maxSteps the largest number of steps; in each step the driver chooses and runs a
   *     goroutine
   * @param onEnd run at the end, on a thread of the scheduler
   */
  public ExploringDriver(long seed, long maxSteps, Runnable onEnd) {
    this.random = new FastRandom(seed);
    this.maxSteps = maxSteps;
    this.onEnd = onEnd;
    // Some bugs need a switch at every scheduling point, others long stretches without one.
    // Therefore the seed chooses one of six frequencies: one in 1, 2, 4, 8, 16 or 32 points.
    this.yieldOneIn = 1 << random.next(6);
  }

  /** Sets the action that the first call of {@link #prepare} runs. Called by the agent. */
  public static void onFirstUse(Runnable action) {
    onFirstUse = action;
  }

  /**
   * Activates the scheduling points. Must be called before the first scheduler with a driver is
   * made. The flag that activates them is a plain field, and the start of that scheduler's M makes
   * it visible to the M.
   */
  public static synchronized void prepare() {
    if (!prepared) {
      prepared = true;
      SchedulingPoint.activate();
      onFirstUse.run();
    }
  }

  /**
   * Returns the driver of the caller's scheduler; null if the caller has no scheduler, or the
   * scheduler has no driver.
   */
  public static @Nullable ExploringDriver ofCaller() {
    return (ExploringDriver) SchedulingPoint.driverOfCaller();
  }

  @Override
  public ScheduleLoop loopOf(Sched of) {
    sched = of;
    return new DrivenLoop(of, this);
  }

  @Override
  public Ready readyOf(Sched of) {
    return new DrivenQueue(of, this);
  }

  @Override
  public void timerArmed() {
    nudge();
  }

  @Override
  public void yieldPoint() {
    boolean isAlone = runnable.isEmpty() && atMonitors.isEmpty();
    if (!isAlone && random.next(yieldOneIn) == 0) {
      Mounter.current().yieldNow();
    }
  }

  /**
   * Returns a number that the seed determines. Must be called by the M or by the goroutine that
   * runs on the M, because the random generator is for one thread at a time.
   */
  @Override
  public long nextSeed() {
    return ((long) random.next() << 31) | random.next();
  }

  /** Returns the time in nanoseconds, on the scale of {@link io.heddle.internal.base.Clock}. */
  @Override
  public long now() {
    return now;
  }

  @Override
  public Instant instant() {
    return EPOCH.plusNanos(elapsed());
  }

  /** Returns how much time has passed on the driver's clock, in nanoseconds. */
  public long elapsed() {
    return now - START_NANOS;
  }

  /** Returns how often the driver has chosen and run a goroutine. */
  public long steps() {
    return steps;
  }

  /**
   * Returns a hash of the run. Runs in which the same goroutines ran in the same order at the same
   * times have the same hash.
   */
  public long trail() {
    return trail;
  }

  /** Returns how often a thread outside made a goroutine ready. */
  public int outside() {
    return outside;
  }

  /** Returns how the run ended; null if it has not. */
  public @Nullable RunEnd end() {
    return end;
  }

  /** Returns the internal error that ended the run; null if there was none. */
  public @Nullable Throwable error() {
    return error;
  }

  void fail(Throwable t) {
    error = t;
    stop();
  }

  /**
   * Stops the clock: the run ends as soon as no goroutine can run unless the clock advances. Called
   * by the main goroutine.
   */
  public void mainIsOver() {
    mainIsOver = true;
  }

  /** Ends the run as soon as the goroutine that runs now unmounts or ends. */
  public void stop() {
    end(RunEnd.STOPPED);
  }

  /**
   * Parks the calling goroutine until all others have settled: none of them can run unless the
   * clock advances.
   *
   * @throws IllegalStateException if another goroutine is parked in this method already
   */
  public void settle() throws InterruptedException {
    if (settler != null) {
      throw new IllegalStateException(
          "settle: goroutine " + settler.id() + " waits for the others to settle already");
    }
    G me = Sched.current();
    settler = me;
    BlockReason reason = () -> "settle";
    while (settler == me && me != null) {
      Mounter.current().park(reason);
      if (Thread.interrupted()) {
        settler = null;
        throw new InterruptedException();
      }
    }
  }

  // Called by DrivenQueue.

  /**
   * Adds goroutine {@code g}, which can run now. {@code isHere} is true if the caller is the M or a
   * goroutine on the M; false if it is a thread outside.
   */
  void queue(G g, boolean isHere) {
    if (VirtualThreads.isUnblocked(g.thread())) {
      nudge(); // g is in atMonitors already, so the M can choose it
    } else if (isHere) {
      runnable.add(g);
    } else {
      fromOutside.add(g);
      nudge();
    }
  }

  /** Makes the M check its lists and flags again. Any thread may call this. */
  void nudge() {
    nudged = true;
    LockSupport.unpark(m);
  }

  // Called by the M.

  /** Runs goroutines until the end. */
  void drive(M m, DrivenLoop loop) {
    this.m = m;
    while (end == null) {
      takeFromOutside();
      loop.doPendingChores();
      G g = choose();
      if (g != null) {
        run(m, g, loop);
      } else if (!makeProgress()) {
        awaitOutside();
      }
    }
  }

  /** Takes over the goroutines that threads outside have made runnable. */
  private void takeFromOutside() {
    nudged = false;
    for (G g = fromOutside.poll(); g != null; g = fromOutside.poll()) {
      runnable.add(g);
      outside++;
    }
  }

  /**
   * Chooses at random one of the goroutines that can run, or that are blocked at a monitor and are
   * not in {@link #tried}. Returns null if there is none.
   */
  private @Nullable G choose() {
    List<G> all = runnable;
    if (!atMonitors.isEmpty()) {
      all = new ArrayList<>(runnable);
      for (G g : atMonitors) {
        if (VirtualThreads.isBlocked(g.thread()) && !tried.contains(g)) {
          all.add(g);
        }
      }
    }
    return all.isEmpty() ? null : all.get(random.next(all.size()));
  }

  /**
   * Runs {@code g} until it unmounts or ends. Then adds {@code g} to {@link #runnable} if it has
   * yielded, or to {@link #atMonitors} if it stopped at a monitor.
   */
  private void run(M m, G g, DrivenLoop loop) {
    boolean tries = atMonitors.remove(g);
    if (tries) {
      boolean _ = g.toRunnable(); // false if the JDK has made g runnable already
      VirtualThreads.unblock(g.thread());
    } else {
      runnable.remove(g);
    }
    trail = trail * 0x5DEECE66DL + g.id() * 31 + now;
    long n = steps + 1;
    steps = n; // not atomic, because only the M writes this field
    G yielded = loop.runAlone(m, g);
    if (yielded != null) {
      runnable.add(yielded);
    }
    boolean stopped = VirtualThreads.isAtMonitor(g.thread());
    if (stopped) {
      atMonitors.add(g);
    }
    if (tries && stopped) {
      tried.add(g);
    } else {
      tried.clear();
      rounds = 0;
    }
    if (n >= maxSteps) {
      end(RunEnd.TOO_LONG);
    }
  }

  /**
   * Tries to make a goroutine runnable, or to end the run. Returns false if only a thread outside
   * can make a goroutine runnable.
   */
  private boolean makeProgress() {
    if (!tried.isEmpty() && !areHeld() && ++rounds < MAX_MONITOR_ROUNDS) {
      tried.clear();
      LockSupport.parkNanos(MONITOR_PAUSE_NANOS); // a thread outside may hold the monitor
      return true;
    }
    G settled = settler;
    if (settled != null) {
      settler = null;
      LockSupport.unpark(settled.thread());
      return true;
    }
    if (mainIsOver) {
      end(RunEnd.QUIET);
      return true;
    }
    return jump();
  }

  /**
   * Whether it is known, for each goroutine that tried to enter a monitor in vain, which thread
   * holds that monitor.
   */
  private boolean areHeld() {
    for (G g : tried) {
      BlockedOn.Wait wait = BlockedOn.of(g.thread(), sched.registry()::virtualThreads);
      if (wait == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Lets the clock jump to the time of the next timer, and fires all timers that are due then.
   * Returns false if there is no timer.
   */
  private boolean jump() {
    TimerHeap heap = sched.timersOfCaller();
    long when = heap.earliest();
    if (when == TimerHeap.NEVER) {
      return false;
    }
    now = Math.max(now, when);
    int _ = heap.runDue(now);
    return true;
  }

  /**
   * Waits until a thread outside makes a goroutine ready or calls {@link #nudge}. Called when all
   * goroutines wait and no timer is set. Ends the run as a deadlock if no thread outside can do so,
   * or if none has done so within {@link #OUTSIDE_PATIENCE_NANOS}. The run is not ended while a
   * goroutine waits for a socket, or for a time of another clock.
   */
  private void awaitOutside() {
    long since = System.nanoTime();
    boolean isCertain = outside >= 0 && Inspector.of(sched).deadlocks().isAllInside();
    while (fromOutside.isEmpty() && !nudged && end == null) {
      boolean isOver = isCertain || System.nanoTime() - since > OUTSIDE_PATIENCE_NANOS;
      if (isOver && outside >= 0 && !Inspector.of(sched).deadlocks().isAnyElsewhere()) {
        end(RunEnd.DEADLOCK);
      } else {
        LockSupport.parkNanos(this, OUTSIDE_PATIENCE_NANOS);
      }
    }
  }

  private synchronized void end(RunEnd how) {
    if (end == null) {
      end = how;
      LockSupport.unpark(m);
      onEnd.run();
    }
  }
}
